/** Local key of a frame. IDs chosen by other clients may not be unique across boards. */
export function getFrameKey(boardId: string, frameId: string): string {
  return /^[0-9a-f]{32}$/.test(frameId) ? frameId : `${boardId}-${frameId}`
}
