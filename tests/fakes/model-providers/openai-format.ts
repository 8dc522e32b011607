import {
  type ErrorCause,
  type FakeAnswer,
  type FakeError,
  type FakeToolCall,
  type FinishKind,
  formatArguments,
  formatEvent,
  type ProviderFormat,
  splitArguments,
} from './provider-format.ts'

const created = 1_770_000_000
const id = 'chatcmpl-DfAkE0123456789abcdefghijklmn'
const openaiFinishReasons: Record<FinishKind, string> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  refusal: 'stop',
  'tool-calls': 'tool_calls',
  pause: 'stop',
}

export const openaiFormat: ProviderFormat = {
  contentType: 'application/json',

  formatBody: (answer) =>
    JSON.stringify({
      id,
      object: 'chat.completion',
      created,
      model: answer.model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: answer.finish === 'refusal' ? null : formatContent(answer),
            refusal: answer.finish === 'refusal' ? answer.tokens.join('') : null,
            annotations: [],
            ...(answer.toolCalls ? { tool_calls: answer.toolCalls.map(toToolCall) } : {}),
          },
          logprobs: null,
          finish_reason: openaiFinishReasons[answer.finish],
        },
      ],
      ...(answer.usage ? { usage: toOpenaiUsage(answer.usage) } : {}),
      service_tier: 'default',
      system_fingerprint: 'fp_fa7f5b168b',
    }),

  formatOpening: (answer) => [formatChunk(answer, { role: 'assistant', content: '', refusal: null })],
  formatToken: (text, answer) =>
    formatChunk(answer, answer.finish === 'refusal' ? { refusal: text } : { content: text }),
  formatClosing: (answer) => [
    ...(answer.toolCalls ?? []).flatMap((call, index) => formatCallChunks(answer, call, index)),
    formatChunk(answer, {}, openaiFinishReasons[answer.finish]),
    ...(answer.usage
      ? [
          formatEvent({
            ...createChunkFrame(answer),
            choices: [],
            usage: toOpenaiUsage(answer.usage),
            obfuscation: 'kT1',
          }),
        ]
      : []),
  ],
  endMark: formatEvent('[DONE]'),
  ping: ': keep-alive\n\n',
  formatErrorEvent: (cause) => formatEvent(createOpenaiError(cause).body),
  unknownEvent: formatEvent({ object: 'chat.completion.weather', forecast: 'sunny' }, 'weather'),
  emptyEvents: [
    formatEvent({ id, object: 'chat.completion.chunk', created, model: 'gpt-4o', choices: [] }),
    formatEvent({
      id,
      object: 'chat.completion.chunk',
      created,
      model: 'gpt-4o',
      choices: [{ index: 0, delta: null, finish_reason: null }],
    }),
    formatEvent({
      id,
      object: 'chat.completion.chunk',
      created,
      model: 'gpt-4o',
      choices: [{ index: 0, delta: { content: null }, finish_reason: null }],
    }),
  ],
  createError: createOpenaiError,
  listModels: () => ({
    object: 'list',
    data: ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-5-mini', 'text-embedding-3-small', 'whisper-1', 'dall-e-3'].map(
      (model) => ({
        id: model,
        object: 'model',
        created,
        owned_by: 'system',
      }),
    ),
  }),
  createHeaders: () => ({
    'openai-organization': 'org-FaKeOrganization0123456',
    'openai-processing-ms': '239',
    'openai-version': '2020-10-01',
    'x-request-id': 'req_5f0c1d2e3b4a59687f6e5d4c3b2a1908',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-limit-tokens': '30000000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-remaining-tokens': '29999984',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': '0s',
  }),
}

function formatContent({ tokens, toolCalls }: FakeAnswer): string | null {
  return tokens.join('') || (toolCalls ? null : '')
}

function createChunkFrame(answer: FakeAnswer): object {
  return {
    id,
    object: 'chat.completion.chunk',
    created,
    model: answer.model,
    service_tier: 'default',
    system_fingerprint: 'fp_fa7f5b168b',
  }
}

function formatChunk(answer: FakeAnswer, delta: object, finish_reason: string | null = null): string {
  const usage = answer.usage ? { usage: null } : {}
  return formatEvent({
    ...createChunkFrame(answer),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...usage,
    obfuscation: 'jFq4Zb8',
  })
}

function toToolCall(call: FakeToolCall, index: number): object {
  return { id: `call_${index}`, type: 'function', function: { name: call.name, arguments: formatArguments(call) } }
}

/** Id and name come once with empty arguments, then the argument chunks. */
function formatCallChunks(answer: FakeAnswer, call: FakeToolCall, index: number): string[] {
  const first = { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } }
  const argumentDeltas = splitArguments(call).map((text) => ({ index, function: { arguments: text } }))
  return [first, ...argumentDeltas].map((callDelta) => formatChunk(answer, { tool_calls: [callDelta] }))
}

function toOpenaiUsage({ input, output }: { input: number; output: number }): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

type OpenaiErrorFields = [status: number, type: string | null, code: string | null, message: string, param?: string]

function createOpenaiError(cause: ErrorCause): FakeError {
  const [status, type, code, message, param = null] = describeOpenaiError(cause)
  return { status, body: { error: { message, type, param, code } } }
}

function describeOpenaiError({ name, key, prompt, model }: ErrorCause): OpenaiErrorFields {
  const organization = 'org-FaKeOrganization0123456'
  const invalidRequest = 'invalid_request_error'
  switch (name) {
    case '400':
      return [400, invalidRequest, null, `Invalid value in the messages: "${prompt}"`]
    case '400-credit':
      return [400, 'insufficient_quota', 'credit_balance_exhausted', 'Your credit balance is exhausted.']
    case '400-context':
      return [
        400,
        invalidRequest,
        'context_length_exceeded',
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 8452 tokens. Please reduce the length of the messages.",
        'messages',
      ]
    case '400-content-filter':
      return [
        400,
        invalidRequest,
        'content_policy_violation',
        'Your request was rejected as a result of our safety system.',
      ]
    case '400-unsupported-parameter':
      return [
        400,
        invalidRequest,
        'unsupported_parameter',
        "Unsupported parameter: 'stop' is not supported with this model.",
        'stop',
      ]
    case '401':
      return [
        401,
        invalidRequest,
        'invalid_api_key',
        `Incorrect API key provided: ${key}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      ]
    case '401-permission':
      return [
        401,
        invalidRequest,
        null,
        'You have insufficient permissions for this operation. Missing scopes: model.request. Check that you have the correct role in your organization.',
      ]
    case '402':
      return [402, 'billing_error', null, 'Payment required.']
    case '403':
      return [
        403,
        'request_forbidden',
        'unsupported_country_region_territory',
        'Country, region, or territory not supported',
      ]
    case '403-context':
      return [403, invalidRequest, null, 'The sum of input tokens and max_tokens is over the context length.']
    case '404':
      return [
        404,
        invalidRequest,
        'model_not_found',
        `The model \`${model}\` does not exist or you do not have access to it.`,
      ]
    case '408':
      return [408, 'timeout', null, 'Request timed out.']
    case '409':
      return [409, 'conflict', null, 'The resource is being modified. Try again.']
    case '413':
      return [413, invalidRequest, null, 'The request body is too large.']
    case '422':
      return [422, invalidRequest, null, 'The request was well-formed but could not be followed.']
    case '425':
      return [425, 'too_early', null, 'Too early.']
    case '429':
      return [
        429,
        'tokens',
        'rate_limit_exceeded',
        `Rate limit reached for ${model} in organization ${organization} on tokens per min (TPM): Limit 30000, Used 29937, Requested 385. Please try again in 644ms. Visit https://platform.openai.com/account/billing to learn more.`,
      ]
    case '429-quota':
      return [
        429,
        'insufficient_quota',
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
      ]
    case '429-spend-limit':
      return [
        429,
        'insufficient_quota',
        'organization_spend_limit_exceeded',
        'The organization reached its spend limit.',
      ]
    case '429-too-large':
      return [
        429,
        'tokens',
        'rate_limit_exceeded',
        `Request too large for ${model} in organization ${organization} on tokens per min (TPM): Limit 30000, Requested 30601.`,
      ]
    case '500':
      return [500, 'server_error', null, 'The server had an error while processing your request. Sorry about that!']
    case '503':
      return [
        503,
        'service_unavailable_error',
        'server_is_overloaded',
        'The engine is currently overloaded, please try again later.',
      ]
    case '504':
      return [504, 'timeout', null, 'Gateway timeout.']
    case '529':
      return [529, 'overloaded', null, 'Overloaded.']
  }
}
