import type * as z from 'zod/mini'
import type { newFrame } from '#contract/boards/boards.ts'
import { emptyContent, entityContent, frameContent, hasOwnContent } from '#contract/boards/frame-content.ts'
import { accepts, isFrameType, whatItTakes } from '#contract/boards/frame-types.ts'
import { Problem } from '#server/http/problem.ts'
import type { FrameRow, PlainFrame } from './frame-rows.ts'

type SentFrame = z.output<typeof newFrame>

/** JSON characters of a frame whose type has no schema for its content. */
const longestContent = 50_000

/** Known types lose unknown fields, unknown types keep theirs. @throws Problem 400 with fields like `frames.3.data.slug` */
export function checkFrames(sent: readonly SentFrame[], before: readonly FrameRow[]): PlainFrame[] {
  const fields: Record<string, string> = {}
  const known = new Map(before.map((row) => [row.id, row]))
  const ids = new Set<string>()
  const slugs = new Map<string, string>()
  const frames = sent.map((frame, index): PlainFrame => {
    const at = `frames.${index}`
    const { name, slug } = frame.data
    if (ids.has(frame.id)) fields[`${at}.id`] = 'Two frames have the same id. Give one of them a different id.'
    ids.add(frame.id)
    const other = slugs.get(slug)
    if (other !== undefined)
      fields[`${at}.data.slug`] = `“${name}” and “${other}” have the same slug. Slugs are unique on a board.`
    slugs.set(slug, name)
    const refusal = slotRefusal(frame, known.get(frame.id))
    if (refusal) fields[`${at}.FrameConfig.engagementMode`] = refusal
    return {
      id: frame.id,
      engagement_mode: frame.FrameConfig.engagementMode,
      theme: frame.FrameConfig.theme ?? null,
      entity_type: frame.entityType ?? null,
      entity_id: frame.entityId ?? null,
      data: { ...frame.data, content: contentOf(frame, `${at}.data.content`, fields) },
    }
  })
  const [first] = Object.values(fields)
  if (first) throw new Problem('bad-input', { message: first, fields })
  return frames
}

/** Types of other Keeper versions fit every slot. */
function slotRefusal({ data, FrameConfig }: SentFrame, was: FrameRow | undefined): string | undefined {
  const pattern = FrameConfig.engagementMode
  const stays = was?.data.frameType === data.frameType && was.engagement_mode === pattern
  if (stays || !isFrameType(data.frameType) || accepts(pattern, data.frameType)) return undefined
  return `“${data.name}” can’t go here: ${whatItTakes(pattern)}.`
}

function contentOf(
  { data: { frameType, name, content } }: SentFrame,
  at: string,
  fields: Record<string, string>,
): Record<string, unknown> {
  if (!isFrameType(frameType)) {
    if (JSON.stringify(content).length > longestContent)
      fields[at] = `“${name}” has more than ${longestContent.toLocaleString('en-US')} characters.`
    return content
  }
  const shape = hasOwnContent(frameType) ? frameContent[frameType] : entityContent
  const read = shape.safeParse({ ...emptyContent(frameType), ...content })
  if (read.success) return read.data
  for (const issue of read.error.issues) {
    const field = [at, ...issue.path].join('.')
    const text = issue.message.startsWith('Invalid') ? 'This value can’t be used.' : issue.message
    fields[field] ??= `“${name}”, ${issue.path.join('.')}: ${text}`
  }
  return content
}
