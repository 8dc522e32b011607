const pages: Record<string, string> = {
  reflection_journal: '/keeper/demo/reflection-journal',
  memorycard_generator: '/keeper/demo/memory-cards',
  voice_panel: '/keeper/demo/voice-panel',
  echo_writer: '/keeper/demo/echo-writer',
  identity_logbook: '/keeper/demo/identity-logbook',
}

/** Where Test leads for a template; `undefined`: it has no page to try it on. */
export const testAddress = (slug: string): string | undefined => (Object.hasOwn(pages, slug) ? pages[slug] : undefined)
