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
import { listOutcomes } from '#tests/fault-outcomes.ts'
import type { ModelLimits } from '../settings/model-limits.ts'
import { resetBreakers } from './breaker.ts'

type ChatProvider = 'openai' | 'anthropic' | 'together'
/** The outcome; `x3` for retries, `+` for partial text before a failure. */
type ExpectedOutcome = string

const completeOutcome = 'ok:stop'
const outcomesEitherWay: Record<ExpectedOutcome, string> = {
  [completeOutcome]: `
    ok wrong-content-type stream-as-json json-for-stream stream-for-json blank-before finish-pause empty-text
    usage-absent usage-absurd usage-negative`,
  'provider-refused': 'status-400 status-400-unsupported-parameter status-422 echo-prompt',
  'provider-quota': 'status-400-credit status-402 status-429-quota status-429-spend-limit',
  'context-too-long': 'status-400-context status-403-context',
  'content-filter': 'status-400-content-filter',
  'key-rejected': 'status-401 status-401-permission status-403 echo-key ok-error-json',
  'model-not-found': 'status-404',
  'provider-timeout x3': 'status-408 status-504',
  'provider-busy x3': `
    status-409 status-425 status-429 status-503 status-529 retry-after-seconds retry-after-date retry-after-ms
    retry-after-negative retry-after-garbage retry-after-past skewed-date`,
  'request-too-large': 'status-413 status-413-html status-429-too-large',
  'provider-failed x3': 'status-500 status-502-html',
  'provider-failed': 'should-not-retry',
  'provider-busy': 'retry-after-day',
  'provider-protocol': `
    redirect-301 redirect-302 redirect-303 redirect-307 redirect-308 ok-html html-as-promised-type ok-empty
    no-content json-cut gzip-bomb huge-body wrong-charset invalid-utf8 bom no-choices`,
  'provider-unreachable x3': 'reset-before-answer close-before-answer reset-after-headers body-cut',
  'provider-timeout': 'headers-never body-never slow-loris',
  'ok:content-filter': 'finish-content-filter',
  'ok:refusal': 'finish-refusal',
  'ok:length': 'finish-length',
  'ok:tool-calls': 'finish-tool-calls finish-tool-calls-broken finish-tool-calls-many',
}
/** Faults only a stream can have: without streaming, the fake answers normally. */
const streamOutcomes: Record<ExpectedOutcome, string> = {
  'provider-unreachable x3': 'cut-before-text',
  'interrupted +': `
    cut-mid cut-mid-event cut-after-text end-mid end-before-finish error-mid silent-mid malformed-mid big-event-mid
    pings-mid`,
  'provider-protocol x3': 'end-before-text',
  [completeOutcome]: `
    end-without-mark two-ends data-after-end open-after-end split-utf8 crlf cr comments multi-line-data
    missing-blank-line no-space-after-colon unknown-fields unknown-events hollow-events`,
  'provider-busy x3': 'error-first error-only',
  'provider-quota': 'error-first-quota',
  'key-rejected': 'error-first-key',
  'provider-protocol': 'malformed-first big-event',
  'provider-timeout': 'pings-only',
}

const expectedOutcomes: Record<string, [stream: ExpectedOutcome, plain: ExpectedOutcome]> = Object.fromEntries([
  ...listOutcomes(outcomesEitherWay).map(([fault, outcome]) => [fault, [outcome, outcome]]),
  ...listOutcomes(streamOutcomes).map(([fault, outcome]) => [fault, [outcome, completeOutcome]]),
])

const providerOutcomes: Partial<Record<ChatProvider, typeof expectedOutcomes>> = {
  anthropic: {
    'status-403-context': ['key-rejected', 'key-rejected'],
    'finish-content-filter': ['ok:refusal', 'ok:refusal'],
    'finish-pause': ['ok:other', 'ok:other'],
    'error-only': ['provider-failed x3', completeOutcome],
  },
}

const answerText = `You asked about “${canaryPrompt.slice(0, 60)}”. Let me think aloud, naïvely: a café, a 🌱 garden, and one small step today. That is all.`

describe.each<ChatProvider>(['openai', 'anthropic', 'together'])('%s', (provider) => {
  let fake: ProviderFake
  beforeAll(async () => {
    fake = await startProviderFake({ provider, slowMs: 5 })
  })
  afterAll(() => fake.close())
  beforeEach(resetBreakers)

  const expected = Object.entries({ ...expectedOutcomes, ...providerOutcomes[provider] })
  const cases = expected.flatMap(([fault, [streamed, plain]]) => [
    { fault, delivery: 'streamed', stream: true, outcome: streamed },
    { fault, delivery: 'plain', stream: false, outcome: plain },
  ])

  it.each(cases)('$fault, $delivery, ends as $outcome', async ({ fault, stream, outcome }) => {
    const previousCount = fake.requests.length
    const limits = getLimits(fault)
    const result = await runModelToEnd({ provider, baseUrl: fake.baseUrl, model: `fault-${fault}`, stream, limits })

    expect(describeOutcome(result)).toBe(outcome)
    expect(fake.requests.length - previousCount, 'requests the provider saw').toBe(result.attempts)
    expect(
      fake.requests.slice(previousCount).every(({ path }) => !path.includes('elsewhere')),
      'redirects aren’t followed',
    ).toBe(true)
    expect(result.waits).toHaveLength(result.attempts - 1)
    expect(result.failure?.attempts ?? result.attempts).toBe(result.attempts)
    if (outcome === completeOutcome && fault !== 'empty-text') expect(result.text).toBe(answerText)
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

const endlessFaults = ['headers-never', 'body-never', 'slow-loris', 'silent-mid', 'pings-only', 'pings-mid']

/** Endless faults get the short default timeouts of `runModelToEnd`; others long ones, because test machines can be busy. */
function getLimits(fault: string): Partial<ModelLimits> {
  if (fault === 'slow-loris' || fault.startsWith('pings')) return { noProgressMs: 400 }
  return endlessFaults.includes(fault) ? {} : { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000 }
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
