import { expect, it } from 'vitest'
import { scrub } from './scrub.ts'

const key = 'plain-looking-secret-0123456789'
const prompt = 'My neighbour keeps a fox named Reginald in the conservatory.'

it.each([
  ['a known key', `Key ${key} is wrong`, 'Key [removed] is wrong'],
  ['a part of a known key', `Key ${key.slice(4, 18)}… is wrong`, 'Key [removed]… is wrong'],
  ['an OpenAI key', 'got sk-proj-AbCd1234efGh', 'got [removed]'],
  ['a masked key', 'got sk-ab***************yz.', 'got [removed]'],
  ['an Anthropic key', 'got sk-ant-api03-AAAA-BBBB_CC', 'got [removed]'],
  ['a bearer header', 'sent Authorization: Bearer abc.def', 'sent Authorization: [removed]'],
  ['an ElevenLabs key', 'key 0123456789abcdef0123456789abcdef', 'key [removed]'],
  ['an organisation', 'in organization org-AbCdEf0123456789 on', 'in organization [removed] on'],
  ['an organisation by UUID', 'org: 0f0e0d0c-0b0a-4908-8706-050403020100', 'org: [removed]'],
  ['what the person wrote', `cannot parse "${prompt}" here`, 'cannot parse "[removed]" here'],
  ['a part of what the person wrote', `near "${prompt.slice(10, 45)}"`, 'near "[removed]"'],
  ['line breaks and control characters', 'a\r\n\u0007b', 'a b'],
])('removes %s', (_, text, clean) => {
  expect(scrub(text, { keys: [key], privateTexts: [prompt] })).toBe(clean)
})

it.each([
  'The model `gpt-4o` does not exist.',
  'Limit 30000, Used 29937, Requested 385. Please try again in 644ms.',
  'A risk-free, user-defined task-list is not a key.',
])('harmless text is unchanged: %s', (text) => {
  expect(scrub(text, { keys: [key], privateTexts: ['a', prompt] })).toBe(text)
})

it('scrubbed text has at most 300 characters and never part of a key', () => {
  const clean = scrub(`${'x'.repeat(290)} ${key} ${'y'.repeat(400)}`, { keys: [key], privateTexts: [] })
  expect(clean.length).toBe(300)
  expect(clean).not.toContain('plain')
})

it('scrubbing takes linear time for long texts and prompts', () => {
  // Quadratic time would exceed this test's timeout.
  const longPrompt = Array.from({ length: 200_000 }, (_, n) => `word${n}`).join(' ')
  expect(scrub('z'.repeat(640_000), { keys: [key], privateTexts: [longPrompt] })).toHaveLength(300)
})
