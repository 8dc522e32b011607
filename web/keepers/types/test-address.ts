import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'

const demoPages: Record<string, string> = {
  reflection_journal: '/keeper/demo/reflection-journal',
  memorycard_generator: '/keeper/demo/memory-cards',
  voice_panel: '/keeper/demo/voice-panel',
  echo_writer: '/keeper/demo/echo-writer',
  identity_logbook: '/keeper/demo/identity-logbook',
}

/** The target of Test: a demo page or a trial run; `undefined` when there is nothing to try. */
export function getTestPath({ slug, kind }: Pick<EngagementTemplate, 'slug' | 'kind'>): string | undefined {
  if (Object.hasOwn(demoPages, slug)) return demoPages[slug]
  return kind === 'page' ? undefined : `/keeper/demo/engagement?template=${encodeURIComponent(slug)}`
}
