import type { Frame } from '#contract/boards/boards.ts'
import type { Services } from '#server/services.ts'
import { type PlainFrame, toPlainFrame } from '../frame-rows.ts'

export function copyTemplateFrames({ newId }: Pick<Services, 'newId'>, frames: readonly Frame[]): PlainFrame[] {
  return frames.map((frame) => ({ ...toPlainFrame(frame), id: newId() }))
}
