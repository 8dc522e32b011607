import { expect, it } from 'vitest'
import { getTestPath } from './template-queries.ts'

it.each([
  ['reflection_journal', '/keeper/demo/reflection-journal'],
  ['memorycard_generator', '/keeper/demo/memory-cards'],
  ['voice_panel', '/keeper/demo/voice-panel'],
  ['echo_writer', '/keeper/demo/echo-writer'],
  ['identity_logbook', '/keeper/demo/identity-logbook'],
  ['constructor', undefined],
])('the page template %s opens %s', (slug, address) => {
  expect(getTestPath({ slug, kind: 'page' })).toBe(address)
})

it('templates with questions open a trial run', () => {
  const getTrialPath = (slug: string) => `/keeper/demo/engagement?template=${slug}`
  expect(getTestPath({ slug: 'gratitude', kind: 'content-type' })).toBe(getTrialPath('gratitude'))
  expect(getTestPath({ slug: 'constructor', kind: 'process' })).toBe(getTrialPath('constructor'))
})
