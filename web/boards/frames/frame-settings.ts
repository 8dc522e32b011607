import { type Frame, frameSlug } from '#contract/boards/boards.ts'
import type { EngagementPattern } from '#contract/boards/frame-types.ts'
import { toUniqueSlug } from '../document/board-document.ts'
import { getPatternProblem } from './pattern-hints.ts'

export interface FrameSettings {
  name: string
  slug: string
  pattern: EngagementPattern
  content: Record<string, unknown>
}

export const toFrameSettings = ({ data, FrameConfig }: Frame): FrameSettings => ({
  name: data.name,
  slug: data.slug,
  pattern: FrameConfig.engagementMode,
  content: data.content,
})

/** Changed text for copying. */
export function getChangedText(initial: FrameSettings, { name, slug, content }: FrameSettings): string {
  const initialValues: Record<string, unknown> = { ...initial.content, name: initial.name, slug: initial.slug }
  return Object.entries({ name, slug, ...content })
    .flatMap(([key, value]) =>
      typeof value === 'string' && value.trim() !== '' && value !== initialValues[key] ? [value] : [],
    )
    .join('\n\n')
}

/** Problems by field, with an available `freeSlug` if the slug is taken. */
export function validateSettings(
  settings: FrameSettings,
  frame: Frame,
  frames: readonly Frame[],
): { name?: string; slug?: string; pattern?: string; freeSlug?: string } {
  const slug = settings.slug.trim()
  const parsedSlug = frameSlug.safeParse(slug)
  const availableSlug = toUniqueSlug(frames, slug, frame.id)
  const patternProblem = getPatternProblem(settings.pattern, frame.data.frameType)
  return {
    ...(settings.name.trim() === '' && { name: 'Enter a name.' }),
    ...(parsedSlug.success
      ? availableSlug !== slug && { slug: 'Another frame on this board has this slug.', freeSlug: availableSlug }
      : { slug: slug === '' ? 'Enter a slug.' : (parsedSlug.error.issues[0]?.message ?? 'Use another slug.') }),
    ...(patternProblem && { pattern: patternProblem }),
  }
}

/** Applies changes made since the dialog opened and keeps concurrent ones. */
export function applySettings(frame: Frame, initial: FrameSettings, settings: FrameSettings): Frame {
  const pickChanged = <Key extends 'name' | 'slug' | 'pattern'>(key: Key, current: FrameSettings[Key]) =>
    settings[key] === initial[key] ? current : settings[key]
  const name = pickChanged('name', frame.data.name).trim()
  const content = { ...frame.data.content }
  for (const [key, value] of Object.entries(settings.content)) {
    if (value !== initial.content[key]) content[key] = value
  }
  return {
    ...frame,
    data: { ...frame.data, name, slug: pickChanged('slug', frame.data.slug).trim(), content },
    FrameConfig: {
      ...frame.FrameConfig,
      name,
      engagementMode: pickChanged('pattern', frame.FrameConfig.engagementMode),
    },
  }
}
