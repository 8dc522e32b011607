import type { Provider } from '#contract/agents/model-settings.ts'

/**
 * The outcome of a run with one retry when its provider misbehaves; written by hand from the provider documentation.
 */
export interface FaultEnding {
  status: 'success' | 'error' | 'interrupted'
  errorCode: string | null
  attempts: 1 | 2
  /** Status of the JSON response. */
  http: 200 | 409 | 422 | 502 | 504
  /** Text arrived before the failure and must be kept. */
  text: boolean
}

const httpStatus: Record<string, FaultEnding['http']> = {
  'provider-timeout': 504,
  'context-too-long': 422,
  'content-filter': 422,
}

function fails(errorCode: string, attempts: 1 | 2 = 1): FaultEnding {
  return { status: 'error', errorCode, attempts, http: httpStatus[errorCode] ?? 502, text: false }
}
const works: FaultEnding = { status: 'success', errorCode: null, attempts: 1, http: 200, text: true }
const breaksOff: FaultEnding = { status: 'interrupted', errorCode: 'interrupted', attempts: 1, http: 502, text: true }

type Group = [ending: FaultEnding, faults: string]

const everywhere: Group[] = [
  [
    works,
    'ok finish-length finish-pause finish-content-filter finish-refusal usage-absent usage-absurd usage-negative wrong-content-type stream-as-json json-for-stream stream-for-json blank-before',
  ],
  [{ ...works, text: false }, 'empty-text'],
  // The model gets an error for calls of missing tools, then answers.
  [{ ...works, attempts: 2 }, 'finish-tool-calls finish-tool-calls-broken finish-tool-calls-many'],
  [
    fails('provider-busy', 2),
    'status-409 status-425 status-429 status-503 status-529 retry-after-seconds retry-after-date retry-after-ms retry-after-negative retry-after-garbage retry-after-past skewed-date',
  ],
  [fails('provider-busy'), 'retry-after-day'],
  [fails('provider-failed', 2), 'status-500 status-502-html'],
  [fails('provider-failed'), 'should-not-retry'],
  [fails('provider-timeout', 2), 'status-408 status-504'],
  [fails('provider-timeout'), 'headers-never body-never slow-loris'],
  [fails('provider-quota'), 'status-402 status-429-quota status-429-spend-limit status-400-credit'],
  [fails('request-too-large'), 'status-413 status-413-html status-429-too-large'],
  [fails('context-too-long'), 'status-400-context status-403-context'],
  [fails('content-filter'), 'status-400-content-filter'],
  [fails('provider-refused'), 'status-400 status-400-unsupported-parameter status-422 echo-prompt'],
  [fails('key-rejected'), 'status-401 status-401-permission status-403 echo-key ok-error-json'],
  [fails('model-not-found'), 'status-404'],
  [fails('provider-unreachable', 2), 'reset-before-answer close-before-answer reset-after-headers body-cut'],
  [
    fails('provider-protocol'),
    'redirect-301 redirect-302 redirect-303 redirect-307 redirect-308 ok-html html-as-promised-type ok-empty no-content json-cut gzip-bomb huge-body wrong-charset invalid-utf8 bom no-choices',
  ],
]

/** Faults that only a stream can have; without streaming these succeed. */
const streamed: Group[] = [
  [fails('provider-unreachable', 2), 'cut-before-text'],
  [fails('provider-protocol', 2), 'end-before-text'],
  [fails('provider-protocol'), 'malformed-first big-event'],
  [fails('provider-busy', 2), 'error-first error-only'],
  [fails('provider-quota'), 'error-first-quota'],
  [fails('key-rejected'), 'error-first-key'],
  [fails('provider-timeout'), 'pings-only'],
  [
    breaksOff,
    'cut-mid cut-mid-event cut-after-text end-mid end-before-finish error-mid silent-mid malformed-mid big-event-mid pings-mid',
  ],
  [
    works,
    'end-without-mark two-ends data-after-end open-after-end split-utf8 crlf cr comments multi-line-data missing-blank-line no-space-after-colon unknown-fields unknown-events hollow-events',
  ],
]

/** Anthropic has no 403 for length, and no error type for a 503. */
const atAnthropic: Record<string, FaultEnding> = {
  'status-403-context': fails('key-rejected'),
  'error-only': fails('provider-failed', 2),
}

/** ElevenLabs limits the text length instead of a context. */
const atElevenlabs: Record<string, FaultEnding> = {
  'status-400-context': fails('request-too-large'),
  'status-403-context': fails('key-rejected'),
  'status-404': { ...fails('voice-missing'), http: 409 },
  'status-400-content-filter': fails('provider-refused'),
}
/** Faults that audio can't have: filtering, partial results, token counts, text encoding. */
const notOfSound = /^(finish-|usage-|stream-|json-for|blank-|empty-text|invalid-utf8|status-429-too-large)/

export function faultEndings(provider: Provider): Map<string, { stream: FaultEnding; plain: FaultEnding }> {
  const endings = new Map<string, { stream: FaultEnding; plain: FaultEnding }>()
  const own = { openai: {}, together: {}, anthropic: atAnthropic, elevenlabs: atElevenlabs }[provider] as Record<
    string,
    FaultEnding
  >
  for (const [ending, faults] of everywhere)
    for (const fault of faults.split(' '))
      endings.set(fault, { stream: own[fault] ?? ending, plain: own[fault] ?? ending })
  if (provider === 'elevenlabs') return new Map([...endings].filter(([fault]) => !notOfSound.test(fault)))
  for (const [ending, faults] of streamed)
    for (const fault of faults.split(' ')) endings.set(fault, { stream: own[fault] ?? ending, plain: works })
  return endings
}
