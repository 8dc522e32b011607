import { expect, test } from 'vitest'
import { apology } from '#contract/agents/answer-texts.ts'
import { ApiError } from '#web/api/api.ts'
import { getLengthProblem } from '#web/ui/text/length-problem.ts'
import { formatCost } from './answer-details.tsx'
import { formatRetryTime, getFailureText, getRefusalText } from './failure-texts.ts'
import { getFinishedSentencesLength, splitForSpeech, toSpokenText } from './read-aloud.ts'

test('wait times are spoken naturally', () => {
  const now = new Date(2026, 10, 21, 22, 0)
  const hour = 3600
  expect([0, 40, 300, hour, 3 * hour, 50 * hour].map((seconds) => formatRetryTime(seconds, now))).toEqual([
    'in a moment',
    'in 40 seconds',
    'in 5 minutes',
    expect.stringMatching(/^at (11:00 PM|23:00)$/),
    expect.stringMatching(/^tomorrow at (1:00 AM|01:00)$/),
    expect.stringMatching(/^on Nov 24, 2026/),
  ])
})

test('a rate-limited visitor learns when to retry, without money or keys', () => {
  const refused = (code: string, wait?: string) =>
    new ApiError(
      {
        status: 429,
        statusText: '',
        headers: new Headers({ 'X-Request-Id': 'request-1', ...(wait && { 'Retry-After': wait }) }),
      },
      JSON.stringify({ error: { message: 'The daily budget of $5 is spent.' }, code }),
    )
  const visitor = { agentName: 'Kip', signedIn: false }
  expect(getRefusalText(refused('too-many', '40'), visitor)).toContain(
    'Your message is kept; you can send it again in 40 seconds',
  )
  expect(getRefusalText(refused('over-budget'), visitor)).toMatch(
    /^Kip has answered .* kept; you can send it again a little later/,
  )
  expect(getRefusalText(refused('over-budget', '40'), visitor)).not.toContain('$')
  expect(getRefusalText(refused('over-budget', '40'), { ...visitor, signedIn: true })).toMatch(
    /\$5 is spent.*in 40 seconds/,
  )
})

test('a failure explains itself beside the apology, to visitors without model', () => {
  const tooLong = { code: 'context-too-long', message: 'Longer than this OpenAI model can read. Shorten the text.' }
  expect(getFailureText(tooLong, 'Kip')).toBe(tooLong.message)
  expect(getFailureText({ ...tooLong, message: apology }, 'Kip')).toBe(
    'That’s more than Kip can read at once. Write less, or start a new session.',
  )
  expect(getFailureText({ code: 'over-budget', message: 'The budget is spent.' }, 'Kip')).toBe('The budget is spent.')
  const spent =
    'The model spent all 4,000 tokens on thinking and wrote no answer. Raise max tokens in the agent’s form.'
  expect(getFailureText({ code: 'max-tokens', message: spent }, 'Kip')).toBe(spent)
  expect(getFailureText({ code: 'provider-failed', message: apology }, 'Kip')).toBeUndefined()
  expect(getFailureText({ code: 'stopped', message: 'The run was stopped.' }, 'Kip')).toBeUndefined()
})

test('costs are shown in cents with their significant digit', () => {
  expect([0, 0.0000001, 0.000034, 0.004, 0.01, 0.123, 3.4].map((dollars) => formatCost(dollars, false))).toEqual([
    'Nothing',
    'less than 0.001 cent',
    '0.003 cent',
    '0.4 cent',
    '1 cent',
    '12 cents',
    '$3.40',
  ])
  expect([0, 0.004].map((dollars) => formatCost(dollars, true))).toEqual(['Nothing', 'about 0.4 cent'])
})

test('a message that is too long shows by how much', () => {
  expect(getLengthProblem('x'.repeat(4000), 4000)).toBeUndefined()
  expect(getLengthProblem(` ${'x'.repeat(4001)} `, 4000)).toBe('1 character too long. The maximum is 4,000.')
  expect(getLengthProblem('x'.repeat(105_234), 100_000)).toBe('5,234 characters too long. The maximum is 100,000.')
})

test('an answer is read in chunks of whole sentences without Markdown', () => {
  const sentence = 'The **tin** stands behind the [flour](https://willowbrook.example). '
  const chunks = splitForSpeech(sentence.repeat(12) + 'word '.repeat(100))
  expect(chunks.every((chunk) => chunk.length <= 240)).toBe(true)
  expect(chunks.join(' ')).toBe(`${'The tin stands behind the flour. '.repeat(12)}${'word '.repeat(100)}`.trim())
  expect(chunks[0]).toMatch(/\.$/)
  expect(splitForSpeech('  \n')).toEqual([])
  expect(splitForSpeech('x'.repeat(500)).join('')).toHaveLength(500)
})

test('only finished sentences count', () => {
  expect(getFinishedSentencesLength('Yes, twi')).toBe(0)
  expect(getFinishedSentencesLength('Yes, twice. In Apr')).toBe('Yes, twice. '.length)
  expect(getFinishedSentencesLength('It costs 3.50 and')).toBe(0)
  expect(getFinishedSentencesLength('He said "no." And')).toBe('He said "no." '.length)
  expect(getFinishedSentencesLength('A title\nthen')).toBe('A title\n'.length)
})

test('formatting marks are not read aloud', () => {
  expect(toSpokenText('## A **bold** [link](https://x.y) and `code`')).toBe('A bold link and code')
})
