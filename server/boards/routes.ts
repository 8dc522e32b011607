import { boardAssist } from '#contract/boards/board-assist.ts'
import { boardFiles } from '#contract/boards/board-files.ts'
import { boardLive } from '#contract/boards/board-live.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { proposeFrames, showProposals } from './assist/propose-frames.ts'
import { listTrashedBoards, removeBoard, restoreBoard } from './board-trash.ts'
import { showBoard } from './board-view.ts'
import { createBoard } from './create-board.ts'
import { getAgentWorkspace, getOrCreateEntityBoard } from './entity/entity-boards.ts'
import { duplicateBoard } from './files/duplicate-board.ts'
import { exportBoardFile } from './files/export-file.ts'
import { importBoardFile } from './files/import-file.ts'
import { importStreamedFile } from './files/import-streamed-file.ts'
import { listBoards } from './list-boards.ts'
import { announcePresence, publishChange } from './live/board-live.ts'
import { saveBoard } from './save-board.ts'
import { createBoardLink, openLinkedBoard, removeBoardLink, sendLinkedPicture } from './sharing/board-link.ts'
import { sendPicture, setSmallPicture, uploadPicture } from './sharing/board-pictures.ts'
import { listBoardShares, shareBoard, unshareBoard } from './sharing/board-shares.ts'
import { listBoardTemplates, removeBoardTemplate, saveBoardTemplate } from './templates/board-templates.ts'
import { listBoardVersions, restoreBoardVersion, showBoardVersion } from './versions.ts'

export function boardRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('boards', boards, {
      list: ({ person, query }) => listBoards(services, person, query),
      show: ({ person, params }) => showBoard(services, person, params.id),
      create: ({ person, body }) => createBoard(services, person, body),
      save: ({ person, params, body, ifMatch }) => saveBoard(services, person, params.id, body, ifMatch),
      remove: ({ person, params }) => removeBoard(services, person, params.id),
      trash: ({ person, query }) => listTrashedBoards(services, person, query.cursor),
      restore: ({ person, params }) => restoreBoard(services, person, params.id),
      ofEntity: ({ person, body }) => getOrCreateEntityBoard(services, person, body),
      versions: ({ person, params, query }) => listBoardVersions(services, person, params.id, query),
      version: ({ person, params }) => showBoardVersion(services, person, params),
      restoreVersion: ({ person, params, ifMatch }) => restoreBoardVersion(services, person, params, ifMatch),
      templates: ({ person, query }) => listBoardTemplates(services, person, query.cursor),
      saveTemplate: ({ person, body }) => saveBoardTemplate(services, person, body),
      removeTemplate: ({ person, params }) => removeBoardTemplate(services, person, params.id),
      agentWorkspace: ({ person, params }) => getAgentWorkspace(services, person, params.agentId),
    }),
    ...serveArea('boardSharing', boardSharing, {
      shares: ({ person, params }) => listBoardShares(services, person, params.id),
      share: ({ person, params, body }) => shareBoard(services, person, params, body.rights),
      unshare: ({ person, params }) => unshareBoard(services, person, params),
      makeLink: ({ person, params }) => createBoardLink(services, person, params.id),
      removeLink: ({ person, params }) => removeBoardLink(services, person, params.id),
      openLinked: ({ body, address }) => openLinkedBoard(services, body.token, address),
      linkedPicture: ({ body, address, range }) => sendLinkedPicture(services, body, address, range),
      upload: ({ person, params, query, openUpload }) =>
        uploadPicture(services, person, params.id, query, openUpload()),
      picture: ({ person, params, query, range }) => sendPicture(services, person, params, { ...query, range }),
      async setSmallPicture({ person, params, openUpload }) {
        await setSmallPicture(services, person, params, openUpload())
        return {}
      },
    }),
    ...serveArea('boardFiles', boardFiles, {
      exportFile: ({ person, params }) => exportBoardFile(services, person, params.id),
      duplicate: ({ person, params, body }) => duplicateBoard(services, person, params.id, body),
      importFile: ({ person, body }) => importBoardFile(services, person, body),
      importWhole: ({ person, query, openUpload }) => importStreamedFile(services, person, query, openUpload()),
    }),
    ...serveArea('boardLive', boardLive, {
      presence: ({ person, params, body }) => announcePresence(services, person, params.id, body),
      changes: ({ person, params, body }) => publishChange(services, person, params.id, body),
    }),
    ...serveArea('boardAssist', boardAssist, {
      propose: ({ person, params, body, wantsStream, address }) =>
        proposeFrames(services, person, params.id, { purpose: body.purpose, wantsStream, address }),
      proposals: ({ person, params }) => showProposals(services, person, params.id, params.runId),
    }),
  ]
}
