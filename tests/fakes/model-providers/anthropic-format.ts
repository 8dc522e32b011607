import {
  type ErrorCause,
  type FakeError,
  type FakeToolCall,
  type FinishKind,
  formatEvent,
  type ProviderFormat,
  splitArguments,
} from './provider-format.ts'

const id = 'msg_01FaKeAnSwEr0123456789'
const requestId = 'req_011CFaKe0123456789abcdef'
const stopReasons: Record<FinishKind, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  refusal: 'refusal',
  'tool-calls': 'tool_use',
  pause: 'pause_turn',
}

/** The real API pads lines before the closing brace, differently each time. */
const formatPaddedEvent = (data: { type: string } & Record<string, unknown>, padding = 7) =>
  formatEvent(JSON.stringify(data).replace(/\}$/, `${' '.repeat(padding)}}`), data.type)

export const anthropicFormat: ProviderFormat = {
  contentType: 'application/json',

  formatBody: (answer) =>
    JSON.stringify({
      model: answer.model,
      id,
      type: 'message',
      role: 'assistant',
      content: [
        ...(answer.tokens.length > 0 ? [{ type: 'text', text: answer.tokens.join('') }] : []),
        ...(answer.toolCalls ?? []).map(toToolUse),
      ],
      stop_reason: stopReasons[answer.finish],
      stop_sequence: null,
      ...(answer.usage ? { usage: toAnthropicUsage(answer.usage.input, answer.usage.output) } : {}),
    }),

  formatOpening: (answer) => [
    formatPaddedEvent({
      type: 'message_start',
      message: {
        model: answer.model,
        id,
        type: 'message',
        role: 'assistant',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...(answer.usage ? { usage: toAnthropicUsage(answer.usage.input, 1) } : {}),
      },
    }),
    formatPaddedEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 3),
    formatPaddedEvent({ type: 'ping' }, 0),
  ],
  formatToken: (text) =>
    formatPaddedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 12),
  formatClosing: (answer) => [
    formatPaddedEvent({ type: 'content_block_stop', index: 0 }, 9),
    ...(answer.toolCalls ?? []).flatMap(formatToolEvents),
    formatPaddedEvent({
      type: 'message_delta',
      delta: { stop_reason: stopReasons[answer.finish], stop_sequence: null },
      ...(answer.usage ? { usage: { output_tokens: answer.usage.output } } : {}),
    }),
  ],
  endMark: formatPaddedEvent({ type: 'message_stop' }, 5),
  ping: formatPaddedEvent({ type: 'ping' }, 0),
  formatErrorEvent: (cause) =>
    formatEvent({ ...(createAnthropicError(cause).body as object), request_id: undefined }, 'error'),
  unknownEvent: formatEvent({ type: 'weather_report', forecast: 'sunny' }, 'weather_report'),
  emptyEvents: [
    formatEvent({ type: 'content_block_delta', index: 0, delta: null }, 'content_block_delta'),
    formatEvent(
      { type: 'content_block_delta', index: 0, delta: { type: 'future_delta', riddle: 'x' } },
      'content_block_delta',
    ),
  ],
  createError: createAnthropicError,
  listModels: (path) => {
    const currentModels = ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001', 'claude-3-5-haiku-20241022']
    const oldModels = Array.from({ length: 20 }, (_, index) => `claude-3-haiku-202403${String(index + 10)}`)
    const models = [...currentModels, ...oldModels].map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2025-09-29T00:00:00Z',
    }))
    const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? 20)
    const data = models.slice(0, limit)
    return { data, has_more: data.length < models.length, first_id: data[0]?.id, last_id: data.at(-1)?.id }
  },
  createHeaders: () => ({
    'request-id': requestId,
    'anthropic-organization-id': '0f0e0d0c-0b0a-4908-8706-050403020100',
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '49',
    'anthropic-ratelimit-requests-reset': '2026-02-07T14:39:10Z',
  }),
}

function toToolUse({ name, arguments: input }: FakeToolCall, index: number): object {
  return { type: 'tool_use', id: `toolu_${index}`, name, input }
}

function formatToolEvents(call: FakeToolCall, callIndex: number): string[] {
  // The text is block 0.
  const index = callIndex + 1
  const content_block = { type: 'tool_use', id: `toolu_${callIndex}`, name: call.name, input: {} }
  const argumentChunks = ['', ...splitArguments(call)]
  return [
    formatPaddedEvent({ type: 'content_block_start', index, content_block }),
    ...argumentChunks.map((partial_json) =>
      formatPaddedEvent({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
    ),
    formatPaddedEvent({ type: 'content_block_stop', index }),
  ]
}

function toAnthropicUsage(input_tokens: number, output_tokens: number): object {
  return {
    input_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens,
    service_tier: 'standard',
  }
}

const nonRetryableErrors = [
  '400',
  '400-credit',
  '400-context',
  '400-content-filter',
  '401',
  '402',
  '403',
  '404',
  '413',
  '422',
]

function createAnthropicError(cause: ErrorCause): FakeError {
  const [status, type, message, details] = describeAnthropicError(cause)
  const headers: Record<string, string> = nonRetryableErrors.includes(cause.name) ? { 'x-should-retry': 'false' } : {}
  // Cloudflare answers this before the request reaches the API.
  if (status === 413)
    return {
      status,
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>413 Request Entity Too Large</title></head></html>',
    }
  return {
    status,
    headers,
    body: { type: 'error', error: { type, message, ...(details ? { details } : {}) }, request_id: requestId },
  }
}

function describeAnthropicError({ name, key, prompt, model }: ErrorCause): [number, string, string, object?] {
  const invalidRequest = 'invalid_request_error'
  switch (name) {
    case '400':
    case '400-unsupported-parameter':
      return [400, invalidRequest, `messages.0.content: the input "${prompt}" is not allowed here`]
    case '400-credit':
      return [
        400,
        invalidRequest,
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      ]
    case '400-context':
      return [400, invalidRequest, 'prompt is too long: 103078 tokens > 102398 maximum']
    case '400-content-filter':
      return [400, 'content_filter', 'Output blocked by content filtering policy']
    case '401':
      return [401, 'authentication_error', `invalid x-api-key ${key}`]
    case '402':
      return [402, 'billing_error', 'There is an issue with your billing or payment information.']
    case '401-permission':
    case '403':
    case '403-context':
      return [403, 'permission_error', 'Your API key does not have permission to use the specified resource.']
    case '404':
      return [404, 'not_found_error', `model: ${model}`]
    case '408':
      return [408, 'timeout_error', 'Request timeout.']
    case '409':
      return [409, 'conflict_error', 'Conflict.']
    case '413':
      return [413, 'request_too_large', 'Request exceeds the maximum allowed number of bytes.']
    case '422':
      return [422, invalidRequest, 'Unprocessable.']
    case '425':
      return [425, 'api_error', 'Too early.']
    case '429':
    case '429-too-large':
      return [
        429,
        'rate_limit_error',
        `${name === '429-too-large' ? 'Request too large. ' : ''}This request would exceed your organization's rate limit of 50,000 input tokens per minute (org: 0f0e0d0c-0b0a-4908-8706-050403020100).`,
      ]
    case '429-quota':
    case '429-spend-limit':
      return [
        429,
        'rate_limit_error',
        'You have reached your monthly limit.',
        { error_code: 'enforced_spend_limit_reached' },
      ]
    case '500':
      return [500, 'api_error', 'Internal server error']
    case '503':
      return [503, 'api_error', 'Service unavailable']
    case '504':
      return [504, 'timeout_error', 'The request timed out.']
    case '529':
      return [529, 'overloaded_error', 'Overloaded']
  }
}
