import { boardAssist } from '#contract/boards/board-assist.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'

export function boardAssistRoutes(): ServedCall[] {
  return unbuiltArea('boardAssist', boardAssist)
}
