import { boardSharing } from '#contract/boards/board-sharing.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'

export function boardSharingRoutes(): ServedCall[] {
  return unbuiltArea('boardSharing', boardSharing)
}
