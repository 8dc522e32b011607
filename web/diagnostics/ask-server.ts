import { tokenKey } from '#web/api.ts'
import { requestFor } from '#web/api-request.ts'
import type { AnyEndpoint, LooseInput } from '#web/api-types.ts'
import { CheckFailed, CheckSkipped } from './check.ts'

/** The server, or the connection to it, may be down. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

export interface Heard {
  status: number
  headers: Headers
  body: unknown
  data: unknown
  /** `{status, request_id}` for the detail of a check. */
  about: { status: number; request_id: string | null }
}

interface Asking extends LooseInput {
  headers?: Record<string, string>
  /** For calls outside the contract, such as OPTIONS. */
  method?: string
  mode?: RequestMode
  /** Default: 15 seconds. */
  patience?: number
  /** Resolves when the headers arrive, and aborts the rest. */
  headOnly?: boolean
  /** Sends the request even after the checks were stopped, for cleanup. */
  regardless?: boolean
}

export type Ask = (endpoint: AnyEndpoint, asking?: Asking) => Promise<Heard>

const usualPatience = 15_000

/**
 * Calls the server directly: no browser cache answers in its place, and a refused session does not sign the person out.
 * @throws NoAnswer, also on timeout; the AbortError of the signal
 */
export function asker(signal: AbortSignal): Ask {
  return async (
    endpoint,
    { headers = {}, method, mode, patience = usualPatience, headOnly, regardless, ...input } = {},
  ) => {
    const accept = headOnly ? 'text/event-stream' : 'application/json'
    const { url, init } = requestFor(endpoint, input, localStorage.getItem(tokenKey), accept)
    for (const [name, value] of Object.entries(headers)) init.headers.set(name, value)
    const over = new AbortController()
    const timer = setTimeout(() => over.abort('late'), patience)
    const given = regardless ? over.signal : AbortSignal.any([signal, over.signal])
    try {
      const response = await fetch(url, {
        ...init,
        method: method ?? init.method,
        mode,
        signal: given,
        cache: 'no-store',
      })
      const text = headOnly ? '' : await response.text()
      if (headOnly) over.abort('heard')
      const body = jsonIn(text)
      const about = { status: response.status, request_id: response.headers.get('X-Request-Id') }
      const data = endpoint.answer === 'bare' ? body : (body as { data?: unknown } | null)?.data
      return { status: response.status, headers: response.headers, body, data, about }
    } catch (reason) {
      if (!regardless) signal.throwIfAborted()
      if (over.signal.aborted) throw new NoAnswer(`No answer within ${patience / 1000} seconds.`)
      if (reason instanceof TypeError) throw new NoAnswer('The server could not be reached.')
      throw reason
    } finally {
      clearTimeout(timer)
    }
  }
}

/** @throws CheckFailed for a bad answer, CheckSkipped for a missing permission */
export function wellAnswered(endpoint: AnyEndpoint, heard: Heard): Heard {
  const { status, body, about } = heard
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown }
  const told = typeof error === 'string' ? error : undefined
  if (status === 403 && code === 'permission-missing') throw new CheckSkipped(told ?? 'A permission is missing.')
  if (status === 401)
    throw new CheckFailed('The server doesn’t recognize your session.', about, 'Sign out and sign in again.')
  if (status < 200 || status > 299)
    throw new CheckFailed(told ?? `${endpoint.method} ${endpoint.path} answered ${status}`, { ...about, error: told })
  if (body === null) throw new CheckFailed('The answer is unreadable.', about, 'Check whether a proxy is in between.')
  return heard
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
