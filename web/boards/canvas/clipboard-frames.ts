import { type Frame, maxFrames } from '#contract/boards/boards.ts'
import { engagementPatterns, frameCategories } from '#contract/boards/frame-types.ts'

export interface CopiedFrames {
  boardId: string
  frames: Frame[]
}

/** Parses untrusted clipboard text and drops everything that isn't a frame. */
export function parseClipboardFrames(text: string): CopiedFrames {
  const emptyClipboard = { boardId: '', frames: [] }
  if (text === '') return emptyClipboard
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return emptyClipboard
  }
  if (!isObject(parsed) || !isText(parsed.boardId) || !Array.isArray(parsed.frames)) return emptyClipboard
  return { boardId: parsed.boardId, frames: parsed.frames.slice(0, maxFrames).filter(isFrame) }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasNumbers = (value: unknown, ...keys: string[]) =>
  isObject(value) && keys.every((key) => Number.isSafeInteger(value[key]))

function isFrame(value: unknown): value is Frame {
  if (!isObject(value) || !isText(value.id) || !isObject(value.data) || !isObject(value.FrameConfig)) return false
  const { data, FrameConfig, entityType, entityId } = value
  return (
    [data.frameType, data.name, data.description, data.icon, data.slug].every(isText) &&
    [entityType, entityId].every((item) => item === null || isText(item)) &&
    frameCategories.some((item) => item === data.category) &&
    engagementPatterns.some((item) => item === FrameConfig.engagementMode) &&
    hasNumbers(data.position, 'x', 'y') &&
    hasNumbers(data.size, 'width', 'height') &&
    isObject(data.content)
  )
}
