import { expect, it } from 'vitest'
import { fakeProviders } from '#tests/fake-providers.ts'
import { builtInProviders } from '../providers/registry.ts'
import { describeExpectedFormat, describeInvalidFormat, isKeyFormatValid } from './key-formats.ts'

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
])('a key of %s such as %j is valid: %j', (provider, key, valid) => {
  expect(isKeyFormatValid(provider, key, false)).toBe(valid)
  expect(isKeyFormatValid(provider, `  ${key}\n`, false), 'trimmed first').toBe(valid)
  expect(isKeyFormatValid(provider, '   ', false)).toBe(false)
})

it('every provider has a format to show', () => {
  expect(builtInProviders.map(({ key }) => key.format)).toContain('sk-ant-…')
  for (const provider of fakeProviders)
    expect(describeInvalidFormat(provider, 'x', false)).toMatch(/^Invalid format\. Expected format: .+/)
})

it.each([
  ['gsk_aBcDeFGhIjKlMnOpQrStUvWxYz12345', true],
  ['xai-aBcDeFGhIjKlMnOpQrStUvWxYz12345', true],
  ['lm-studio', true],
  ['ollama', true],
  ['sk-00', false],
  ['Bearer sk-0123456789', false],
  ['“sk-0123456789”', false],
])('a custom address accepts OpenAI key %j: %j', (key, valid) => {
  expect(isKeyFormatValid('openai', key, true)).toBe(valid)
  expect(isKeyFormatValid('openai', key, false)).toBe(false)
  expect(describeExpectedFormat('openai', true)).toBe('Expected format: at least 6 characters')
})

it("a key that can't be sent in a header is refused with a reason", () => {
  const key = `sk-${'x'.repeat(10)} ${'x'.repeat(10)}`
  expect(isKeyFormatValid('openai', key, false)).toBe(false)
  expect(describeInvalidFormat('openai', key, false)).toBe(
    'Invalid format. Expected format: sk-…, without spaces or special characters',
  )
  expect(describeInvalidFormat('openai', 'sk-short', false)).toBe('Invalid format. Expected format: sk-…')
})
