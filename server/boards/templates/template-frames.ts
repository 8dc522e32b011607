import type { Frame } from '#contract/boards/boards.ts'
import type { Services } from '#server/services.ts'
import { type PlainFrame, plainFrameOf } from '../frame-rows.ts'

export function framesFromTemplate({ newId }: Pick<Services, 'newId'>, frames: readonly Frame[]): PlainFrame[] {
  return frames.map((frame) => ({ ...plainFrameOf(frame), id: newId() }))
}
