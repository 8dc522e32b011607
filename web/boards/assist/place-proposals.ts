import type { Frame } from '#contract/boards/boards.ts'
import { freePlaces, overlaps } from '#contract/boards/free-places.ts'
import { type Box, boxOf } from '../document/board-document.ts'

/**
 * Proposed frames where they would stand now: where they were put, unless something came to stand there since. Whoever
 * finds no room at all stays where it was.
 */
export function placedBeside(frames: readonly Frame[], proposed: readonly Frame[]): Frame[] {
  const taken: Box[] = frames.map(boxOf)
  return proposed.map((frame) => {
    const box = boxOf(frame)
    const isFree = !taken.some((other) => overlaps(box, other))
    const position = isFree ? frame.data.position : (freePlaces(taken, [frame.data.size])[0] ?? frame.data.position)
    taken.push({ ...frame.data.size, ...position })
    return isFree ? frame : { ...frame, data: { ...frame.data, position } }
  })
}

/** Names of frames in an answer that is still being written. */
export function namesSoFar(answer: string): string[] {
  return [...answer.matchAll(/"name"\s*:\s*"((?:[^"\\]|\\.){1,120})"/g)].flatMap(([, name]) => {
    try {
      return [JSON.parse(`"${name}"`) as string]
    } catch {
      return []
    }
  })
}
