import type { Frame } from '#contract/boards/boards.ts'
import { findFreePositions, overlaps } from '#contract/boards/free-positions.ts'
import { type Box, getFrameBox } from '../document/board-document.ts'

/** Moves proposed frames whose position has been taken to free space, where there is any. */
export function placeProposals(frames: readonly Frame[], proposed: readonly Frame[]): Frame[] {
  const occupiedBoxes: Box[] = frames.map(getFrameBox)
  return proposed.map((frame) => {
    const box = getFrameBox(frame)
    const isFree = !occupiedBoxes.some((other) => overlaps(box, other))
    const position = isFree
      ? frame.data.position
      : (findFreePositions(occupiedBoxes, [frame.data.size])[0] ?? frame.data.position)
    occupiedBoxes.push({ ...frame.data.size, ...position })
    return isFree ? frame : { ...frame, data: { ...frame.data, position } }
  })
}

/** Reads frame names from an incomplete JSON response. */
export function readFrameNames(answer: string): string[] {
  return [...answer.matchAll(/"name"\s*:\s*"((?:[^"\\]|\\.){1,120})"/g)].flatMap(([, name]) => {
    try {
      return [JSON.parse(`"${name}"`) as string]
    } catch {
      return []
    }
  })
}
