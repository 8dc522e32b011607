import type * as z from 'zod/mini'
import type { newFrame } from '#contract/boards/boards.ts'
import { emptyContent, entityContent, frameContent, isFrameWithContent } from '#contract/boards/frame-content.ts'
import { acceptsFrame, describePatternMismatch, isFrameType } from '#contract/boards/frame-types.ts'
import { Problem } from '#server/http/problem.ts'
import type { FrameRow, PlainFrame } from './frame-rows.ts'

type SentFrame = z.output<typeof newFrame>

const maxContentLength = 50_000

/**
 * Known types lose unknown fields, unknown types keep theirs.
 * @throws Problem 400 with fields like `frames.3.data.slug`
 */
export function checkFrames(sentFrames: readonly SentFrame[], previousFrames: readonly FrameRow[]): PlainFrame[] {
  const fields: Record<string, string> = {}
  const previousById = new Map(previousFrames.map((row) => [row.id, row]))
  const ids = new Set<string>()
  const slugs = new Map<string, string>()
  const frames = sentFrames.map((frame, index): PlainFrame => {
    const path = `frames.${index}`
    const { name, slug } = frame.data
    if (ids.has(frame.id)) fields[`${path}.id`] = 'Two frames have the same ID. Give one of them a different ID.'
    ids.add(frame.id)
    const otherName = slugs.get(slug)
    if (otherName !== undefined)
      fields[`${path}.data.slug`] = `“${name}” and “${otherName}” have the same slug. Slugs are unique on a board.`
    slugs.set(slug, name)
    const slotError = findSlotError(frame, previousById.get(frame.id))
    if (slotError) fields[`${path}.FrameConfig.engagementMode`] = slotError
    return {
      id: frame.id,
      engagement_mode: frame.FrameConfig.engagementMode,
      theme: frame.FrameConfig.theme ?? null,
      entity_type: frame.entityType ?? null,
      entity_id: frame.entityId ?? null,
      data: { ...frame.data, content: checkContent(frame, `${path}.data.content`, fields) },
    }
  })
  const [first] = Object.values(fields)
  if (first) throw new Problem('bad-input', { message: first, fields })
  return frames
}

/** Frame types of other Keeper versions work in every pattern. */
function findSlotError({ data, FrameConfig }: SentFrame, previous: FrameRow | undefined): string | undefined {
  const pattern = FrameConfig.engagementMode
  const isUnchanged = previous?.data.frameType === data.frameType && previous.engagement_mode === pattern
  if (isUnchanged || !isFrameType(data.frameType) || acceptsFrame(pattern, data.frameType)) return undefined
  return `“${data.name}” can’t be saved. ${describePatternMismatch(pattern, data.frameType)}`
}

function checkContent(
  { data: { frameType, name, content } }: SentFrame,
  path: string,
  fields: Record<string, string>,
): Record<string, unknown> {
  if (!isFrameType(frameType)) {
    if (JSON.stringify(content).length > maxContentLength)
      fields[path] = `“${name}” has more than ${maxContentLength.toLocaleString('en-US')} characters.`
    return content
  }
  const shape = isFrameWithContent(frameType) ? frameContent[frameType] : entityContent
  const result = shape.safeParse({ ...emptyContent(frameType), ...content })
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    const field = [path, ...issue.path].join('.')
    const text = issue.message.startsWith('Invalid') ? 'This value can’t be used.' : issue.message
    fields[field] ??= `“${name}”, ${issue.path.join('.')}: ${text}`
  }
  return content
}
