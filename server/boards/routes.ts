import { boards } from '#contract/boards/boards.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from './board-access.ts'
import { listTrashedBoards, removeBoard, restoreBoard } from './board-trash.ts'
import { getBoardView } from './board-view.ts'
import { createBoard } from './create-board.ts'
import { getAgentWorkspace } from './entity/agent-workspace.ts'
import { getOrCreateEntityBoard } from './entity/entity-board.ts'
import { listBoards } from './list-boards.ts'
import { saveBoard } from './save-board.ts'
import { listBoardTemplates, removeBoardTemplate, saveBoardTemplate } from './templates/board-templates.ts'
import { listBoardVersions, restoreBoardVersion, showBoardVersion } from './versions.ts'

export function boardRoutes(services: Services): ServedCall[] {
  return serveArea('boards', boards, {
    list: ({ person, query }) => listBoards(services, person, query),
    show: async ({ person, params }) =>
      getBoardView(services, person, await requireBoardRight(services, person, params.id, 'view')),
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
  })
}
