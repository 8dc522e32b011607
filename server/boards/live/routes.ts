import { boardLive } from '#contract/boards/board-live.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'

export function boardLiveRoutes(): ServedCall[] {
  return unbuiltArea('boardLive', boardLive)
}
