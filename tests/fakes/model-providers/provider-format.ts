export type FinishKind = 'stop' | 'length' | 'content-filter' | 'refusal' | 'tool-calls' | 'pause'

export interface FakeAnswer {
  model: string
  tokens: string[]
  finish: FinishKind
  /** null omits usage. */
  usage: { input: number; output: number } | null
  /** Calls of a 'tool-calls' answer. */
  toolCalls?: FakeToolCall[]
}

export interface FakeToolCall {
  name: string
  /** An object, or raw text in place of valid JSON. */
  arguments: object | string
}

/** The JSON of the arguments in chunks, as a stream sends it. */
export function splitArguments(call: FakeToolCall): string[] {
  return formatArguments(call).match(/[\s\S]{1,9}/g) ?? []
}

export function formatArguments({ arguments: input }: FakeToolCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

export interface FakeError {
  status: number
  headers?: Record<string, string>
  body: object | string
}

/** A named error; `key` and `prompt` come from the request because some errors echo them. */
export interface ErrorCause {
  name: ErrorName
  key: string
  prompt: string
  model: string
}

export const errorNames = [
  '400',
  '400-credit',
  '400-context',
  '400-content-filter',
  '400-unsupported-parameter',
  '401',
  '401-permission',
  '402',
  '403',
  '403-context',
  '404',
  '408',
  '409',
  '413',
  '422',
  '425',
  '429',
  '429-quota',
  '429-spend-limit',
  '429-too-large',
  '500',
  '503',
  '504',
  '529',
] as const
export type ErrorName = (typeof errorNames)[number]

/** The wire format of one provider, after recorded exchanges. */
export interface ProviderFormat {
  contentType: string
  formatBody(answer: FakeAnswer): string | Buffer
  /** Server-sent events with their blank lines: before the text, one per token, after the text, end mark. */
  formatOpening(answer: FakeAnswer): string[]
  formatToken(text: string, answer: FakeAnswer): string
  formatClosing(answer: FakeAnswer): string[]
  endMark: string
  ping: string
  /** An error event inside a stream, and an unknown event. */
  formatErrorEvent(cause: ErrorCause): string
  unknownEvent: string
  /** Events without content: no choices, a null delta. */
  emptyEvents: string[]
  createError(cause: ErrorCause): FakeError
  /** One page of the model list; `path` includes the query. */
  listModels(path: string): object
  createHeaders(): Record<string, string>
}

export function formatEvent(data: object | string, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}
