import { expect, it } from 'vitest'
import { testAddress } from './test-address.ts'

it.each([
  ['reflection_journal', '/keeper/demo/reflection-journal'],
  ['memorycard_generator', '/keeper/demo/memory-cards'],
  ['voice_panel', '/keeper/demo/voice-panel'],
  ['echo_writer', '/keeper/demo/echo-writer'],
  ['identity_logbook', '/keeper/demo/identity-logbook'],
  ['gratitude', undefined],
  ['constructor', undefined],
])('%s is tried at %s', (slug, address) => {
  expect(testAddress(slug)).toBe(address)
})
