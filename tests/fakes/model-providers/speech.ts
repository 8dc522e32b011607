export type FinishKind = 'stop' | 'length' | 'content-filter' | 'refusal' | 'tool-calls' | 'pause'

export interface FakeAnswer {
  model: string
  words: string[]
  finish: FinishKind
  /** null: the provider leaves usage out. */
  usage: { input: number; output: number } | null
  /** What a 'tool-calls' answer calls. */
  toolCalls?: FakeToolCall[]
}

export interface FakeToolCall {
  name: string
  /** An object, or the text that stands where its JSON should. */
  arguments: object | string
}

/** The JSON text of the arguments, in a few pieces as a stream brings it. */
export function argumentPieces(call: FakeToolCall): string[] {
  return argumentText(call).match(/[\s\S]{1,9}/g) ?? []
}

export function argumentText({ arguments: given }: FakeToolCall): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

export interface FakeError {
  status: number
  headers?: Record<string, string>
  body: object | string
}

/** The errors a provider is asked for by name; `key` and `prompt` are what the request carried, because some errors echo them. */
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

/** How one provider puts things on the wire, after recorded exchanges. */
export interface Speech {
  contentType: string
  whole(answer: FakeAnswer): string | Buffer
  /** Server-sent events, each with its blank line: those before the text, one for each word, those after it, the end mark. */
  opening(answer: FakeAnswer): string[]
  word(text: string, answer: FakeAnswer): string
  closing(answer: FakeAnswer): string[]
  endMark: string
  ping: string
  /** An error event inside a stream, and an event nobody has heard of. */
  errorEvent(cause: ErrorCause): string
  unknownEvent: string
  /** An event that carries no news: no choices, a null delta. */
  hollowEvents: string[]
  error(cause: ErrorCause): FakeError
  /** One page of its list; `path` with its query. */
  models(path: string): object
  /** Headers every answer carries. */
  headers(): Record<string, string>
}

export function event(data: object | string, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}
