import { toStorableJson } from '#contract/storable-json.ts'
import type { AnyEndpoint, UntypedCallInput } from './api-types.ts'

export function buildRequest(endpoint: AnyEndpoint, input: UntypedCallInput, token: string | null, accept: string) {
  const body = input.bytes ?? buildBody(endpoint, input.body)
  const headers = new Headers({ Accept: accept })
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (body !== undefined) headers.set('Content-Type', input.bytes?.type ?? 'application/json')
  if (input.ifMatch !== undefined) headers.set('If-Match', String(input.ifMatch))
  if (input.idempotencyKey !== undefined) headers.set('Idempotency-Key', input.idempotencyKey)
  return {
    url: buildAddress(endpoint, input),
    init: { method: endpoint.method, headers, body, signal: input.signal } satisfies RequestInit,
  }
}

const pathParamPattern = /:(\w+)/g

export function buildAddress(endpoint: AnyEndpoint, input: UntypedCallInput): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = endpoint.path.replace(pathParamPattern, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '') {
      throw new Error(`${endpoint.method} ${endpoint.path} needs ${name}`)
    }
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(pickConstants(endpoint.match?.query))) query.set(name, value)
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const search = query.toString()
  return search ? `${path}?${search}` : path
}

function buildBody(endpoint: AnyEndpoint, body: unknown): string | undefined {
  const constantFields = pickConstants(endpoint.match?.body)
  if (body === undefined && Object.keys(constantFields).length === 0) return undefined
  return toStorableJson(JSON.stringify({ ...(body as object | undefined), ...constantFields }))
}

/** The values that tell this call from others with the same path; `'*'` leaves the value to the caller. */
function pickConstants(values: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== '*'))
}

/** For the first read of a page: after the timeout the server counts as unreachable, and the page can show a cached answer. */
export const withTimeout = (abortSignal: AbortSignal, timeoutMs = 10_000): AbortSignal =>
  AbortSignal.any([abortSignal, AbortSignal.timeout(timeoutMs)])
