import { boardFiles } from '#contract/boards/board-files.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'

export function boardFileRoutes(): ServedCall[] {
  return unbuiltArea('boardFiles', boardFiles)
}
