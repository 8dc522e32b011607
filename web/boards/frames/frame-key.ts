/** What a frame is known by in this browser. An id that another client chose may stand on several boards. */
export function frameKey(boardId: string, frameId: string): string {
  return /^[0-9a-f]{32}$/.test(frameId) ? frameId : `${boardId}-${frameId}`
}
