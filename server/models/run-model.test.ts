import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Asked, askModel, canaryKey, canaryPrompt, canarySystem } from '#tests/fakes/model-providers/ask-model.ts'
import { faults } from '#tests/fakes/model-providers/faults.ts'
import { type ProviderFake, startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { resetBreakers } from './breaker.ts'
import type { ModelLimits } from './model-limits.ts'

type Chat = 'openai' | 'anthropic' | 'together'
/** The outcome; `x3` for retries, `+` for partial text before a failure. */
type Ending = string

const whole = 'ok:stop'
const both = (ending: Ending): [stream: Ending, plain: Ending] => [ending, ending]
/** Faults only a stream can have; plainly, the fake just answers. */
const streamOnly = (ending: Ending): [stream: Ending, plain: Ending] => [ending, whole]

const endings: Record<string, [stream: Ending, plain: Ending]> = {
  ok: both(whole),

  'status-400': both('provider-refused'),
  'status-400-credit': both('provider-quota'),
  'status-400-context': both('context-too-long'),
  'status-400-content-filter': both('content-filter'),
  'status-400-unsupported-parameter': both('provider-refused'),
  'status-401': both('key-rejected'),
  'status-401-permission': both('key-rejected'),
  'status-402': both('provider-quota'),
  'status-403': both('key-rejected'),
  'status-403-context': both('context-too-long'),
  'status-404': both('model-not-found'),
  'status-408': both('provider-timeout x3'),
  'status-409': both('provider-busy x3'),
  'status-413': both('request-too-large'),
  'status-413-html': both('request-too-large'),
  'status-422': both('provider-refused'),
  'status-425': both('provider-busy x3'),
  'status-429': both('provider-busy x3'),
  'status-429-quota': both('provider-quota'),
  'status-429-spend-limit': both('provider-quota'),
  'status-429-too-large': both('request-too-large'),
  'status-500': both('provider-failed x3'),
  'status-502-html': both('provider-failed x3'),
  'status-503': both('provider-busy x3'),
  'status-504': both('provider-timeout x3'),
  'status-529': both('provider-busy x3'),
  'should-not-retry': both('provider-failed'),
  'retry-after-seconds': both('provider-busy x3'),
  'retry-after-date': both('provider-busy x3'),
  'retry-after-ms': both('provider-busy x3'),
  'retry-after-negative': both('provider-busy x3'),
  'retry-after-garbage': both('provider-busy x3'),
  'retry-after-past': both('provider-busy x3'),
  'skewed-date': both('provider-busy x3'),
  'retry-after-day': both('provider-busy'),
  'echo-key': both('key-rejected'),
  'echo-prompt': both('provider-refused'),

  'redirect-301': both('provider-protocol'),
  'redirect-302': both('provider-protocol'),
  'redirect-303': both('provider-protocol'),
  'redirect-307': both('provider-protocol'),
  'redirect-308': both('provider-protocol'),

  'reset-before-answer': both('provider-unreachable x3'),
  'close-before-answer': both('provider-unreachable x3'),
  'reset-after-headers': both('provider-unreachable x3'),
  'body-cut': both('provider-unreachable x3'),
  'headers-never': both('provider-timeout'),
  'body-never': both('provider-timeout'),
  'slow-loris': both('provider-timeout'),

  'ok-error-json': both('key-rejected'),
  'ok-html': both('provider-protocol'),
  'html-as-promised-type': both('provider-protocol'),
  'ok-empty': both('provider-protocol'),
  'no-content': both('provider-protocol'),
  'json-cut': both('provider-protocol'),
  'wrong-content-type': both(whole),
  'stream-as-json': both(whole),
  'json-for-stream': both(whole),
  'stream-for-json': both(whole),
  'blank-before': both(whole),
  'gzip-bomb': both('provider-protocol'),
  'huge-body': both('provider-protocol'),
  'wrong-charset': both('provider-protocol'),
  'invalid-utf8': both('provider-protocol'),
  bom: both('provider-protocol'),
  'no-choices': both('provider-protocol'),

  'finish-content-filter': both('ok:content-filter'),
  'finish-refusal': both('ok:refusal'),
  'finish-length': both('ok:length'),
  'finish-pause': both(whole),
  'finish-tool-calls': both('ok:tool-calls'),
  'finish-tool-calls-broken': both('ok:tool-calls'),
  'finish-tool-calls-many': both('ok:tool-calls'),
  'empty-text': both(whole),
  'usage-absent': both(whole),
  'usage-absurd': both(whole),
  'usage-negative': both(whole),

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

const otherEndings: Partial<Record<Chat, typeof endings>> = {
  anthropic: {
    'status-403-context': both('key-rejected'),
    'finish-content-filter': both('ok:refusal'),
    'finish-pause': both('ok:other'),
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

  const expected = Object.entries({ ...endings, ...otherEndings[provider] })
  const cases = expected.flatMap(([fault, [streamed, plain]]) => [
    { fault, how: 'streamed', stream: true, ending: streamed },
    { fault, how: 'plain', stream: false, ending: plain },
  ])

  it.each(cases)('$fault, $how, ends as $ending', async ({ fault, stream, ending }) => {
    const before = fake.requests.length
    const limits = limitsFor(fault)
    const asked = await askModel({ provider, baseUrl: fake.baseUrl, model: `fault-${fault}`, stream, limits })

    expect(shownAs(asked)).toBe(ending)
    expect(fake.requests.length - before, 'requests the provider saw').toBe(asked.attempts)
    expect(fake.requests.slice(before).every(({ path }) => !path.includes('elsewhere'))).toBe(true)
    expect(asked.waits).toHaveLength(asked.attempts - 1)
    expect(asked.failure?.attempts ?? asked.attempts).toBe(asked.attempts)
    if (ending === whole && fault !== 'empty-text') expect(asked.text).toBe(answerText)
    if (asked.failure) expect(answerText.startsWith(asked.text)).toBe(true)
    expect(asked.events.filter(({ type }) => type === 'finish')).toHaveLength(asked.failure ? 0 : 1)
    expectNothingLeaked(asked)
  })

  it('is tested with every behavior of its fake', () => {
    expect(Object.keys(faults).filter((fault) => !(fault in endings))).toEqual([])
  })
})

function shownAs({ ending, attempts, failure, text }: Asked): Ending {
  return [ending, ...(attempts > 1 ? [`x${attempts}`] : []), ...(failure && text !== '' ? ['+'] : [])].join(' ')
}

const endless = ['headers-never', 'body-never', 'slow-loris', 'silent-mid', 'pings-only', 'pings-mid']

/** Short timeouts only for endless faults, because test machines can be busy. */
function limitsFor(fault: string): Partial<ModelLimits> {
  if (fault === 'slow-loris' || fault.startsWith('pings')) return { wallMs: 400 }
  return endless.includes(fault) ? {} : { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000 }
}

function expectNothingLeaked({ events, failure }: Asked): void {
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
