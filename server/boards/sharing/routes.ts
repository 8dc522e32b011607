import { boardSharing } from '#contract/boards/board-sharing.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listBoardShares } from './board-shares.ts'
import { createBoardLink, removeBoardLink } from './create-link.ts'
import { openLinkedBoard, sendLinkedPicture } from './open-linked.ts'
import { sendPicture } from './send-picture.ts'
import { setSmallPicture } from './set-small-picture.ts'
import { shareBoard } from './share-board.ts'
import { unshareBoard } from './unshare-board.ts'
import { uploadPicture } from './upload-picture.ts'

export function boardSharingRoutes(services: Services): ServedCall[] {
  return serveArea('boardSharing', boardSharing, {
    shares: ({ person, params }) => listBoardShares(services, person, params.id),
    share: ({ person, params, body }) => shareBoard(services, person, params, body.rights),
    unshare: ({ person, params }) => unshareBoard(services, person, params),
    makeLink: ({ person, params }) => createBoardLink(services, person, params.id),
    removeLink: ({ person, params }) => removeBoardLink(services, person, params.id),
    openLinked: ({ body, address }) => openLinkedBoard(services, body.token, address),
    linkedPicture: ({ body, address, range }) => sendLinkedPicture(services, body, address, range),
    upload: ({ person, params, query, openUpload }) => uploadPicture(services, person, params.id, query, openUpload()),
    picture: ({ person, params, query, range }) => sendPicture(services, person, params, { ...query, range }),
    async setSmallPicture({ person, params, openUpload }) {
      await setSmallPicture(services, person, params, openUpload())
      return {}
    },
  })
}
