import { ApiError, sendRequest } from '#web/api/api.ts'
import { buildRequest } from '#web/api/api-request.ts'
import type { ApiCall } from './api-calls.ts'
import { type CallForm, getAccept, toCallInput, toEndpoint } from './call-request.ts'

export type CallSender = 'session' | 'token' | 'nobody'

export interface CallAnswer {
  status: number
  milliseconds: number
  requestId: string | null
  contentType: string
  /** The part that is shown; `undefined` for files. */
  text?: string
  file?: Blob
  isTruncated: boolean
}

interface SendOptions {
  sender: CallSender
  /** Goes into this one request and nowhere else. */
  token: string
  signal: AbortSignal
  /** Called repeatedly, with the answer so far. */
  onAnswer: (answer: CallAnswer) => void
}

const maxTextLength = 200_000

/** @throws NetworkError if the server can't be reached, AbortError if stopped */
export async function sendCall(call: ApiCall, form: CallForm, options: SendOptions): Promise<void> {
  const startedAt = performance.now()
  try {
    const response = await sendAs(call, form, options)
    const { headers, status } = response
    const head = {
      status,
      milliseconds: Math.round(performance.now() - startedAt),
      requestId: headers.get('X-Request-Id'),
      contentType: (headers.get('Content-Type') ?? '').split(';')[0] ?? '',
    }
    if (isText(head.contentType))
      await readText(response, (text, isTruncated) => options.onAnswer({ ...head, text, isTruncated }))
    else options.onAnswer({ ...head, file: await response.blob(), isTruncated: false })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    options.onAnswer({
      status: error.receivedStatus,
      milliseconds: Math.round(performance.now() - startedAt),
      requestId: error.requestId ?? null,
      contentType: 'application/json',
      text: error.body,
      isTruncated: false,
    })
  }
}

/** The session goes through the app’s own client, which asks people to confirm their identity if needed. */
function sendAs(call: ApiCall, form: CallForm, { sender, token, signal }: SendOptions): Promise<Response> {
  const endpoint = toEndpoint(call)
  const input = { ...toCallInput(call, form), signal }
  if (sender === 'session') return sendRequest(endpoint, input, getAccept(form))
  const { url, init } = buildRequest(endpoint, input, sender === 'token' ? token.trim() : null, getAccept(form))
  return fetch(url, { ...init, credentials: 'omit' })
}

const isText = (contentType: string) =>
  contentType === '' || contentType.startsWith('text/') || /[/+](json|xml|javascript)$/.test(contentType)

async function readText(response: Response, onText: (text: string, isTruncated: boolean) => void): Promise<void> {
  let text = ''
  onText(text, false)
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const isTruncated = text.length > maxTextLength
    onText(text.slice(0, maxTextLength), isTruncated)
    if (isTruncated) return reader.cancel()
  }
}
