import { expect, it } from 'vitest'
import { providers } from '../agents/model-settings.ts'
import { invalidFormatText, isKeyFormatValid, keyFormats } from './key-formats.ts'

it.each([
  ['openai', `sk-${'x'.repeat(17)}`, false],
  ['openai', `sk-${'x'.repeat(18)}`, true],
  ['openai', 'x'.repeat(40), false],
  ['openai', `SK-${'x'.repeat(40)}`, false],
  ['anthropic', `sk-ant-${'x'.repeat(23)}`, false],
  ['anthropic', `sk-ant-${'x'.repeat(24)}`, true],
  ['anthropic', `sk-${'x'.repeat(40)}`, false],
  ['together', 'x'.repeat(10), false],
  ['together', 'x'.repeat(11), true],
  ['elevenlabs', 'x'.repeat(10), false],
  ['elevenlabs', 'x'.repeat(11), true],
  ['another', 'x'.repeat(5), false],
  ['another', 'x'.repeat(6), true],
])('of %s the key %j is well formed: %j', (provider, key, valid) => {
  expect(isKeyFormatValid(provider, key)).toBe(valid)
  expect(isKeyFormatValid(provider, `  ${key}\n`), 'trimmed first').toBe(valid)
  expect(isKeyFormatValid(provider, '   ')).toBe(false)
})

it('every provider has a format to show', () => {
  expect(Object.keys(keyFormats)).toEqual([...providers])
  for (const provider of providers) expect(invalidFormatText(provider)).toMatch(/^Invalid format\. Expected format: .+/)
})
