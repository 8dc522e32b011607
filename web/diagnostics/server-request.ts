import { tokenKey } from '#web/api/api.ts'
import { buildRequest } from '#web/api/api-request.ts'
import type { AnyEndpoint, CallResult, UntypedCallInput } from '#web/api/api-types.ts'
import { CheckFailed, CheckSkipped } from './check.ts'

/** The server, or the connection to it, may be down. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

export interface ServerAnswer<Data = unknown> {
  status: number
  headers: Headers
  body: unknown
  data: Data
  /** `{status, request_id}` for the detail of a check. */
  meta: { status: number; request_id: string | null }
}

interface ServerRequestOptions extends UntypedCallInput {
  headers?: Record<string, string>
  /** For calls outside the contract, such as OPTIONS. */
  method?: string
  mode?: RequestMode
  /** Default: 15 seconds. */
  timeoutMs?: number
  /** Resolves when the headers arrive, and aborts the body. */
  headOnly?: boolean
  /** Sends the request even after the checks were stopped, for cleanup. */
  ignoresStop?: boolean
}

export type ServerRequester = (endpoint: AnyEndpoint, options?: ServerRequestOptions) => Promise<ServerAnswer>

const defaultTimeoutMs = 15_000

/** Bypasses the browser cache and never signs out. @throws NoAnswer, also on timeout; the AbortError of the signal */
export function createServerRequester(signal: AbortSignal): ServerRequester {
  return async (
    endpoint,
    { headers = {}, method, mode, timeoutMs = defaultTimeoutMs, headOnly, ignoresStop, ...input } = {},
  ) => {
    const accept = headOnly ? 'text/event-stream' : 'application/json'
    const { url, init } = buildRequest(endpoint, input, localStorage.getItem(tokenKey), accept)
    for (const [name, value] of Object.entries(headers)) init.headers.set(name, value)
    const timeoutController = new AbortController()
    const timer = setTimeout(() => timeoutController.abort('late'), timeoutMs)
    const combinedSignal = ignoresStop ? timeoutController.signal : AbortSignal.any([signal, timeoutController.signal])
    try {
      const response = await fetch(url, {
        ...init,
        method: method ?? init.method,
        mode,
        signal: combinedSignal,
        cache: 'no-store',
      })
      const text = headOnly ? '' : await response.text()
      if (headOnly) timeoutController.abort('received')
      const body = parseJsonOrNull(text)
      const meta = { status: response.status, request_id: response.headers.get('X-Request-Id') }
      const data = endpoint.responseFormat === 'bare' ? body : (body as { data?: unknown } | null)?.data
      return { status: response.status, headers: response.headers, body, data, meta }
    } catch (reason) {
      if (!ignoresStop) signal.throwIfAborted()
      if (timeoutController.signal.aborted) throw new NoAnswer(`No answer within ${timeoutMs / 1000} seconds.`)
      if (reason instanceof TypeError) throw new NoAnswer('The server couldn’t be reached.')
      throw reason
    } finally {
      clearTimeout(timer)
    }
  }
}

/** @throws CheckFailed for a bad answer, CheckSkipped for a missing permission */
export async function requestSuccess<E extends AnyEndpoint>(
  request: ServerRequester,
  endpoint: E,
  options?: ServerRequestOptions,
): Promise<ServerAnswer<CallResult<E>>> {
  return requireSuccess(endpoint, await request(endpoint, options))
}

/** Requires the success of an answer that was read before. @throws like `requestSuccess` */
export function requireSuccess<E extends AnyEndpoint>(endpoint: E, answer: ServerAnswer): ServerAnswer<CallResult<E>> {
  const { status, body, meta } = answer
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown }
  if (meta.request_id === null && status >= 400)
    throw new CheckFailed(
      'Something in front of this server answered in its place.',
      meta,
      'Check the proxy, firewall or sign-on in front of this server.',
    )
  const message = typeof error === 'string' ? error : undefined
  if (status === 403 && code === 'permission-missing') throw new CheckSkipped(message ?? 'A permission is missing.')
  if (status === 401)
    throw new CheckFailed('The server doesn’t recognize your session.', meta, 'Sign out and sign in again.')
  if (status < 200 || status > 299)
    throw new CheckFailed(message ?? `${endpoint.method} ${endpoint.path} answered ${status}`, {
      ...meta,
      error: message,
    })
  if (body === null)
    throw new CheckFailed('The response is unreadable.', meta, 'Check whether a proxy in between changes the response.')
  return answer as ServerAnswer<CallResult<E>>
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
