import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { faults } from '#tests/fakes/model-providers/faults.ts'
import {
  canaryKey,
  canaryPrompt,
  canarySystem,
  type ModelRunResult,
  runModelToEnd,
} from '#tests/fakes/model-providers/run-model-to-end.ts'
import { type ProviderFake, startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import type { ModelLimits } from '../settings/model-limits.ts'
import { resetBreakers } from './breaker.ts'

type Chat = 'openai' | 'anthropic' | 'together'
/** The outcome; `x3` for retries, `+` for partial text before a failure. */
type ExpectedOutcome = string

const whole = 'ok:stop'
const forBoth = (outcome: ExpectedOutcome): [stream: ExpectedOutcome, plain: ExpectedOutcome] => [outcome, outcome]
/** Faults only a stream can have; plainly, the fake just answers. */
const streamOnly = (outcome: ExpectedOutcome): [stream: ExpectedOutcome, plain: ExpectedOutcome] => [outcome, whole]

const expectedOutcomes: Record<string, [stream: ExpectedOutcome, plain: ExpectedOutcome]> = {
  ok: forBoth(whole),

  'status-400': forBoth('provider-refused'),
  'status-400-credit': forBoth('provider-quota'),
  'status-400-context': forBoth('context-too-long'),
  'status-400-content-filter': forBoth('content-filter'),
  'status-400-unsupported-parameter': forBoth('provider-refused'),
  'status-401': forBoth('key-rejected'),
  'status-401-permission': forBoth('key-rejected'),
  'status-402': forBoth('provider-quota'),
  'status-403': forBoth('key-rejected'),
  'status-403-context': forBoth('context-too-long'),
  'status-404': forBoth('model-not-found'),
  'status-408': forBoth('provider-timeout x3'),
  'status-409': forBoth('provider-busy x3'),
  'status-413': forBoth('request-too-large'),
  'status-413-html': forBoth('request-too-large'),
  'status-422': forBoth('provider-refused'),
  'status-425': forBoth('provider-busy x3'),
  'status-429': forBoth('provider-busy x3'),
  'status-429-quota': forBoth('provider-quota'),
  'status-429-spend-limit': forBoth('provider-quota'),
  'status-429-too-large': forBoth('request-too-large'),
  'status-500': forBoth('provider-failed x3'),
  'status-502-html': forBoth('provider-failed x3'),
  'status-503': forBoth('provider-busy x3'),
  'status-504': forBoth('provider-timeout x3'),
  'status-529': forBoth('provider-busy x3'),
  'should-not-retry': forBoth('provider-failed'),
  'retry-after-seconds': forBoth('provider-busy x3'),
  'retry-after-date': forBoth('provider-busy x3'),
  'retry-after-ms': forBoth('provider-busy x3'),
  'retry-after-negative': forBoth('provider-busy x3'),
  'retry-after-garbage': forBoth('provider-busy x3'),
  'retry-after-past': forBoth('provider-busy x3'),
  'skewed-date': forBoth('provider-busy x3'),
  'retry-after-day': forBoth('provider-busy'),
  'echo-key': forBoth('key-rejected'),
  'echo-prompt': forBoth('provider-refused'),

  'redirect-301': forBoth('provider-protocol'),
  'redirect-302': forBoth('provider-protocol'),
  'redirect-303': forBoth('provider-protocol'),
  'redirect-307': forBoth('provider-protocol'),
  'redirect-308': forBoth('provider-protocol'),

  'reset-before-answer': forBoth('provider-unreachable x3'),
  'close-before-answer': forBoth('provider-unreachable x3'),
  'reset-after-headers': forBoth('provider-unreachable x3'),
  'body-cut': forBoth('provider-unreachable x3'),
  'headers-never': forBoth('provider-timeout'),
  'body-never': forBoth('provider-timeout'),
  'slow-loris': forBoth('provider-timeout'),

  'ok-error-json': forBoth('key-rejected'),
  'ok-html': forBoth('provider-protocol'),
  'html-as-promised-type': forBoth('provider-protocol'),
  'ok-empty': forBoth('provider-protocol'),
  'no-content': forBoth('provider-protocol'),
  'json-cut': forBoth('provider-protocol'),
  'wrong-content-type': forBoth(whole),
  'stream-as-json': forBoth(whole),
  'json-for-stream': forBoth(whole),
  'stream-for-json': forBoth(whole),
  'blank-before': forBoth(whole),
  'gzip-bomb': forBoth('provider-protocol'),
  'huge-body': forBoth('provider-protocol'),
  'wrong-charset': forBoth('provider-protocol'),
  'invalid-utf8': forBoth('provider-protocol'),
  bom: forBoth('provider-protocol'),
  'no-choices': forBoth('provider-protocol'),

  'finish-content-filter': forBoth('ok:content-filter'),
  'finish-refusal': forBoth('ok:refusal'),
  'finish-length': forBoth('ok:length'),
  'finish-pause': forBoth(whole),
  'finish-tool-calls': forBoth('ok:tool-calls'),
  'finish-tool-calls-broken': forBoth('ok:tool-calls'),
  'finish-tool-calls-many': forBoth('ok:tool-calls'),
  'empty-text': forBoth(whole),
  'usage-absent': forBoth(whole),
  'usage-absurd': forBoth(whole),
  'usage-negative': forBoth(whole),

  'cut-before-text': streamOnly('provider-unreachable x3'),
  'cut-mid': streamOnly('interrupted +'),
  'cut-mid-event': streamOnly('interrupted +'),
  'cut-after-text': streamOnly('interrupted +'),
  'end-before-text': streamOnly('provider-protocol x3'),
  'end-mid': streamOnly('interrupted +'),
  'end-without-mark': streamOnly(whole),
  'end-before-finish': streamOnly('interrupted +'),
  'error-first': streamOnly('provider-busy x3'),
  'error-only': streamOnly('provider-busy x3'),
  'error-first-quota': streamOnly('provider-quota'),
  'error-first-key': streamOnly('key-rejected'),
  'error-mid': streamOnly('interrupted +'),
  'silent-mid': streamOnly('interrupted +'),
  'malformed-first': streamOnly('provider-protocol'),
  'malformed-mid': streamOnly('interrupted +'),
  'big-event': streamOnly('provider-protocol'),
  'big-event-mid': streamOnly('interrupted +'),
  'pings-only': streamOnly('provider-timeout'),
  'pings-mid': streamOnly('interrupted +'),
  'two-ends': streamOnly(whole),
  'data-after-end': streamOnly(whole),
  'open-after-end': streamOnly(whole),
  'split-utf8': streamOnly(whole),
  crlf: streamOnly(whole),
  cr: streamOnly(whole),
  comments: streamOnly(whole),
  'multi-line-data': streamOnly(whole),
  'missing-blank-line': streamOnly(whole),
  'no-space-after-colon': streamOnly(whole),
  'unknown-fields': streamOnly(whole),
  'unknown-events': streamOnly(whole),
  'hollow-events': streamOnly(whole),
}

const providerOutcomes: Partial<Record<Chat, typeof expectedOutcomes>> = {
  anthropic: {
    'status-403-context': forBoth('key-rejected'),
    'finish-content-filter': forBoth('ok:refusal'),
    'finish-pause': forBoth('ok:other'),
    'error-only': streamOnly('provider-failed x3'),
  },
}

const answerText = `You asked about “${canaryPrompt.slice(0, 60)}”. Let me think aloud, naïvely: a café, a 🌱 garden, and one small step today. That is all.`

describe.each<Chat>(['openai', 'anthropic', 'together'])('%s', (provider) => {
  let fake: ProviderFake
  beforeAll(async () => {
    fake = await startProviderFake({ provider, slowMs: 5 })
  })
  afterAll(() => fake.close())
  beforeEach(resetBreakers)

  const expected = Object.entries({ ...expectedOutcomes, ...providerOutcomes[provider] })
  const cases = expected.flatMap(([fault, [streamed, plain]]) => [
    { fault, how: 'streamed', stream: true, ending: streamed },
    { fault, how: 'plain', stream: false, ending: plain },
  ])

  it.each(cases)('$fault, $how, ends as $ending', async ({ fault, stream, ending: outcome }) => {
    const previousCount = fake.requests.length
    const limits = limitsFor(fault)
    const result = await runModelToEnd({ provider, baseUrl: fake.baseUrl, model: `fault-${fault}`, stream, limits })

    expect(describeOutcome(result)).toBe(outcome)
    expect(fake.requests.length - previousCount, 'requests the provider saw').toBe(result.attempts)
    expect(fake.requests.slice(previousCount).every(({ path }) => !path.includes('elsewhere'))).toBe(true)
    expect(result.waits).toHaveLength(result.attempts - 1)
    expect(result.failure?.attempts ?? result.attempts).toBe(result.attempts)
    if (outcome === whole && fault !== 'empty-text') expect(result.text).toBe(answerText)
    if (result.failure) expect(answerText.startsWith(result.text)).toBe(true)
    expect(result.events.filter(({ type }) => type === 'finish')).toHaveLength(result.failure ? 0 : 1)
    expectNothingLeaked(result)
  })

  it('is tested with every behavior of its fake', () => {
    expect(Object.keys(faults).filter((fault) => !(fault in expectedOutcomes))).toEqual([])
  })
})

function describeOutcome({ outcome, attempts, failure, text }: ModelRunResult): ExpectedOutcome {
  return [outcome, ...(attempts > 1 ? [`x${attempts}`] : []), ...(failure && text !== '' ? ['+'] : [])].join(' ')
}

const endless = ['headers-never', 'body-never', 'slow-loris', 'silent-mid', 'pings-only', 'pings-mid']

/** Short timeouts only for endless faults, because test machines can be busy. */
function limitsFor(fault: string): Partial<ModelLimits> {
  if (fault === 'slow-loris' || fault.startsWith('pings')) return { wallMs: 400 }
  return endless.includes(fault) ? {} : { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000 }
}

function expectNothingLeaked({ events, failure }: ModelRunResult): void {
  const everything = JSON.stringify([
    events.filter(({ type }) => type !== 'text').map((event) => ({ ...event, turn: undefined })),
    { ...failure, message: failure?.message, stack: failure?.stack, cause: failure?.cause },
    events.flatMap((event) => (event.type === 'retry' ? [event.failure.message, event.failure.stack] : [])),
  ])
  for (const canary of [
    canaryKey,
    canaryKey.slice(3, 15),
    canaryPrompt.slice(0, 30),
    canarySystem.slice(0, 30),
    'org-FaKe',
  ]) {
    expect(everything).not.toContain(canary)
  }
}
