import type { Frame } from '#contract/boards/boards.ts'
import type { Services } from '#server/services.ts'
import { type PlainFrame, plainFrameOf } from '../frame-rows.ts'

/** The frames of a template for a new board: under ids of their own. */
export function framesFromTemplate({ newId }: Pick<Services, 'newId'>, frames: readonly Frame[]): PlainFrame[] {
  return frames.map((frame) => ({ ...plainFrameOf(frame), id: newId() }))
}
