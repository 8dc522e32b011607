import type { Provider } from '#contract/agents/model-settings.ts'

/**
 * The outcome of a run with one retry when its provider misbehaves; written by hand from the provider documentation.
 */
export interface FaultOutcome {
  status: 'success' | 'error' | 'interrupted'
  errorCode: string | null
  attempts: 1 | 2
  /** Status of the JSON response. */
  http: 200 | 409 | 422 | 502 | 504
  /** Text arrived before the failure and must be kept. */
  hasText: boolean
}

const httpStatus: Record<string, FaultOutcome['http']> = {
  'provider-timeout': 504,
  'context-too-long': 422,
  'content-filter': 422,
}

function createFailure(errorCode: string, attempts: 1 | 2 = 1): FaultOutcome {
  return { status: 'error', errorCode, attempts, http: httpStatus[errorCode] ?? 502, hasText: false }
}
const success: FaultOutcome = { status: 'success', errorCode: null, attempts: 1, http: 200, hasText: true }
const interrupted: FaultOutcome = {
  status: 'interrupted',
  errorCode: 'interrupted',
  attempts: 1,
  http: 502,
  hasText: true,
}

/** Names of faults, separated by spaces. */
type FaultGroup = [outcome: FaultOutcome, faults: string]

const sharedFaults: FaultGroup[] = [
  [
    success,
    'ok finish-length finish-pause finish-content-filter finish-refusal usage-absent usage-absurd usage-negative wrong-content-type stream-as-json json-for-stream stream-for-json blank-before',
  ],
  [{ ...success, hasText: false }, 'empty-text'],
  // The model gets an error for calls of missing tools, then answers.
  [{ ...success, attempts: 2 }, 'finish-tool-calls finish-tool-calls-broken finish-tool-calls-many'],
  [
    createFailure('provider-busy', 2),
    'status-409 status-425 status-429 status-503 status-529 retry-after-seconds retry-after-date retry-after-ms retry-after-negative retry-after-garbage retry-after-past skewed-date',
  ],
  [createFailure('provider-busy'), 'retry-after-day'],
  [createFailure('provider-failed', 2), 'status-500 status-502-html'],
  [createFailure('provider-failed'), 'should-not-retry'],
  [createFailure('provider-timeout', 2), 'status-408 status-504'],
  [createFailure('provider-timeout'), 'headers-never body-never slow-loris'],
  [createFailure('provider-quota'), 'status-402 status-429-quota status-429-spend-limit status-400-credit'],
  [createFailure('request-too-large'), 'status-413 status-413-html status-429-too-large'],
  [createFailure('context-too-long'), 'status-400-context status-403-context'],
  [createFailure('content-filter'), 'status-400-content-filter'],
  [createFailure('provider-refused'), 'status-400 status-400-unsupported-parameter status-422 echo-prompt'],
  [createFailure('key-rejected'), 'status-401 status-401-permission status-403 echo-key ok-error-json'],
  [createFailure('model-not-found'), 'status-404'],
  [createFailure('provider-unreachable', 2), 'reset-before-answer close-before-answer reset-after-headers body-cut'],
  [
    createFailure('provider-protocol'),
    'redirect-301 redirect-302 redirect-303 redirect-307 redirect-308 ok-html html-as-promised-type ok-empty no-content json-cut gzip-bomb huge-body wrong-charset invalid-utf8 bom no-choices',
  ],
]

/** Faults that only a stream can have; without streaming these succeed. */
const streamOnlyFaults: FaultGroup[] = [
  [createFailure('provider-unreachable', 2), 'cut-before-text'],
  [createFailure('provider-protocol', 2), 'end-before-text'],
  [createFailure('provider-protocol'), 'malformed-first big-event'],
  [createFailure('provider-busy', 2), 'error-first error-only'],
  [createFailure('provider-quota'), 'error-first-quota'],
  [createFailure('key-rejected'), 'error-first-key'],
  [createFailure('provider-timeout'), 'pings-only'],
  [
    interrupted,
    'cut-mid cut-mid-event cut-after-text end-mid end-before-finish error-mid silent-mid malformed-mid big-event-mid pings-mid',
  ],
  [
    success,
    'end-without-mark two-ends data-after-end open-after-end split-utf8 crlf cr comments multi-line-data missing-blank-line no-space-after-colon unknown-fields unknown-events hollow-events',
  ],
]

/** Anthropic has no 403 for length, and no error type for a 503. */
const anthropicOverrides: Record<string, FaultOutcome> = {
  'status-403-context': createFailure('key-rejected'),
  'error-only': createFailure('provider-failed', 2),
}

/** ElevenLabs limits the text length instead of a context. */
const elevenlabsOverrides: Record<string, FaultOutcome> = {
  'status-400-context': createFailure('request-too-large'),
  'status-403-context': createFailure('key-rejected'),
  'status-404': { ...createFailure('voice-missing'), http: 409 },
  'status-400-content-filter': createFailure('provider-refused'),
}
/** Faults that audio can't have: filtering, partial results, token counts, text encoding. */
const notForAudio = /^(finish-|usage-|stream-|json-for|blank-|empty-text|invalid-utf8|status-429-too-large)/

export function getFaultOutcomes(provider: Provider): Map<string, { stream: FaultOutcome; plain: FaultOutcome }> {
  const outcomes = new Map<string, { stream: FaultOutcome; plain: FaultOutcome }>()
  const overrides = { openai: {}, together: {}, anthropic: anthropicOverrides, elevenlabs: elevenlabsOverrides }[
    provider
  ] as Record<string, FaultOutcome>
  for (const [outcome, faults] of sharedFaults)
    for (const fault of faults.split(' '))
      outcomes.set(fault, { stream: overrides[fault] ?? outcome, plain: overrides[fault] ?? outcome })
  if (provider === 'elevenlabs') return new Map([...outcomes].filter(([fault]) => !notForAudio.test(fault)))
  for (const [outcome, faults] of streamOnlyFaults)
    for (const fault of faults.split(' ')) outcomes.set(fault, { stream: overrides[fault] ?? outcome, plain: success })
  return outcomes
}

/** Each fault of a table, whose rows list all faults that end alike, with its outcome. */
export const listOutcomes = (table: Record<string, string>): [fault: string, outcome: string][] =>
  Object.entries(table).flatMap(([outcome, faults]) =>
    (faults.match(/\S+/g) ?? []).map((fault): [string, string] => [fault, outcome]),
  )
