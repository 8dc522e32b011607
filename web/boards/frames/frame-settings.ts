import { type Frame, frameSlug } from '#contract/boards/boards.ts'
import type { EngagementPattern } from '#contract/boards/frame-types.ts'
import { freeSlug } from '../document/board-document.ts'
import { slotProblem } from './pattern-hints.ts'

export interface FrameSettings {
  name: string
  slug: string
  pattern: EngagementPattern
  content: Record<string, unknown>
}

export const settingsOf = ({ data, FrameConfig }: Frame): FrameSettings => ({
  name: data.name,
  slug: data.slug,
  pattern: FrameConfig.engagementMode,
  content: data.content,
})

/** Changed text for copying. */
export function changedWords(before: FrameSettings, { name, slug, content }: FrameSettings): string {
  const then: Record<string, unknown> = { ...before.content, name: before.name, slug: before.slug }
  return Object.entries({ name, slug, ...content })
    .flatMap(([key, value]) => (typeof value === 'string' && value.trim() !== '' && value !== then[key] ? [value] : []))
    .join('\n\n')
}

/** Problems by field, with an available `freeSlug` if the slug is taken. */
export function problemsIn(
  settings: FrameSettings,
  frame: Frame,
  frames: readonly Frame[],
): { name?: string; slug?: string; pattern?: string; freeSlug?: string } {
  const slug = settings.slug.trim()
  const written = frameSlug.safeParse(slug)
  const free = freeSlug(frames, slug, frame.id)
  const slot = slotProblem(settings.pattern, frame.data.frameType)
  return {
    ...(settings.name.trim() === '' && { name: 'Enter a name.' }),
    ...(written.success
      ? free !== slug && { slug: 'Another frame on this board has this slug.', freeSlug: free }
      : { slug: slug === '' ? 'Enter a slug.' : (written.error.issues[0]?.message ?? 'Use another slug.') }),
    ...(slot && { pattern: slot }),
  }
}

/** Applies changes made since the dialog opened and keeps concurrent ones. */
export function withSettings(frame: Frame, before: FrameSettings, settings: FrameSettings): Frame {
  const pick = <Key extends 'name' | 'slug' | 'pattern'>(key: Key, now: FrameSettings[Key]) =>
    settings[key] === before[key] ? now : settings[key]
  const name = pick('name', frame.data.name).trim()
  const content = { ...frame.data.content }
  for (const [key, value] of Object.entries(settings.content)) {
    if (value !== before.content[key]) content[key] = value
  }
  return {
    ...frame,
    data: { ...frame.data, name, slug: pick('slug', frame.data.slug).trim(), content },
    FrameConfig: { ...frame.FrameConfig, name, engagementMode: pick('pattern', frame.FrameConfig.engagementMode) },
  }
}
