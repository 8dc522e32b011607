import type * as z from 'zod/mini'
import type { frameToSave, newFrame } from '#contract/boards/boards.ts'
import { emptyContent } from '#contract/boards/frame-content.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { freePlaces } from '#contract/boards/free-places.ts'
import { badField } from '#server/http/problem.ts'
import type { FrameRow } from './frame-rows.ts'

type FrameToSave = z.output<typeof frameToSave>
type WholeFrame = z.output<typeof newFrame>

const sizeOfUnknown = { width: 300, height: 200 }

/** Fills gaps from the stored frame or the type's defaults. @throws Problem 400 naming a frame without a free position */
export function wholeFrames(sent: readonly FrameToSave[], before: readonly FrameRow[]): WholeFrame[] {
  const known = new Map(before.map((row) => [row.id, row.data]))
  const filled = sent.map(({ data, ...frame }) => {
    const { frameType } = data
    const there = known.get(frame.id)
    const size = data.size ?? there?.size ?? (isFrameType(frameType) ? frameTypes[frameType].size : sizeOfUnknown)
    const kept = there?.frameType === frameType ? there.content : undefined
    const content = data.content ?? kept ?? emptyContent(frameType)
    return { ...frame, data: { ...data, position: data.position ?? there?.position, size: { ...size }, content } }
  })
  const places = freePlaces(
    filled.flatMap(({ data: { position, size } }) => (position ? [{ ...position, ...size }] : [])),
    filled.flatMap(({ data: { position, size } }) => (position ? [] : [size])),
  )
  return filled.map(({ data, ...frame }, index) => {
    const position = data.position ?? places.shift()
    if (!position)
      throw badField(`frames.${index}.data.position`, `There’s no free space for “${data.name}”. Give it a position.`)
    return { ...frame, data: { ...data, position } }
  })
}
