import type * as z from 'zod/mini'
import type { frameToSave, newFrame } from '#contract/boards/boards.ts'
import { emptyContent } from '#contract/boards/frame-content.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { findFreePositions } from '#contract/boards/free-positions.ts'
import { badField } from '#server/http/problem.ts'
import type { FrameRow } from './frame-rows.ts'

type FrameToSave = z.output<typeof frameToSave>
type CompleteFrame = z.output<typeof newFrame>

const defaultSize = { width: 300, height: 200 }

/** Fills gaps from the stored frame or the type's defaults. @throws Problem 400 naming a frame without a free position */
export function completeFrames(
  sentFrames: readonly FrameToSave[],
  previousFrames: readonly FrameRow[],
): CompleteFrame[] {
  const previousById = new Map(previousFrames.map((row) => [row.id, row.data]))
  const completed = sentFrames.map(({ data, ...frame }) => {
    const { frameType } = data
    const previous = previousById.get(frame.id)
    const size = data.size ?? previous?.size ?? (isFrameType(frameType) ? frameTypes[frameType].size : defaultSize)
    const previousContent = previous?.frameType === frameType ? previous.content : undefined
    const content = data.content ?? previousContent ?? emptyContent(frameType)
    return { ...frame, data: { ...data, position: data.position ?? previous?.position, size: { ...size }, content } }
  })
  const positions = findFreePositions(
    completed.flatMap(({ data: { position, size } }) => (position ? [{ ...position, ...size }] : [])),
    completed.flatMap(({ data: { position, size } }) => (position ? [] : [size])),
  )
  return completed.map(({ data, ...frame }, index) => {
    const position = data.position ?? positions.shift()
    if (!position)
      throw badField(`frames.${index}.data.position`, `There’s no free space for “${data.name}”. Give it a position.`)
    return { ...frame, data: { ...data, position } }
  })
}
