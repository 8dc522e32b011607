import type { Provider } from '#contract/agents/model-settings.ts'
import { getLimits, getListMs } from '../settings/model-limits.ts'
import { callProvider, Exchange } from './http-exchange.ts'
import { asList, asObject } from './json-values.ts'
import type { Credential, ModelRuntime } from './model-request.ts'
import { toCallUrl } from './provider-address.ts'
import { getProvider } from './providers/registry.ts'
import { readJsonBody } from './read-answer.ts'
import { createFailure, requireSendableKey, toFailureContext } from './translate-failure.ts'

const maxEntries = 2000
const maxPages = 20

export interface ListRequest {
  provider: Provider
  credential: Credential
  signal: AbortSignal
}

/** Reads up to 2,000 entries over at most 20 pages, in one attempt. @throws ModelFailure, also if the answer has no list */
export async function fetchList(
  runtime: ModelRuntime,
  { provider: id, credential, signal }: ListRequest,
  path: string,
): Promise<Record<string, unknown>[]> {
  const provider = getProvider(id)
  const context = toFailureContext(provider, credential)
  requireSendableKey(context, credential.key)
  const wallMs = getListMs(runtime, credential)
  const limits = { ...getLimits(runtime, credential, { isWhole: true }), firstByteMs: wallMs, wallMs }
  const startedAt = performance.now()
  const entries: Record<string, unknown>[] = []
  const visitedQueries = new Set<string>()
  let query: string | undefined
  do {
    const pagePath = query === undefined ? path : path.split('?')[0] + query
    const exchange = new Exchange(context, limits, { wallLeftMs: wallMs - (performance.now() - startedAt), signal })
    try {
      const response = await callProvider(runtime, exchange, {
        url: toCallUrl(provider, credential, pagePath),
        headers: { accept: 'application/json', ...provider.getHeaders(credential.key), ...credential.headers },
      })
      const value = await readJsonBody(response, exchange)
      const body = asObject(value)
      const list = Array.isArray(value) ? value : (body.data ?? body.voices ?? body.models)
      if (!Array.isArray(list))
        throw createFailure(context, 'provider-protocol', {
          message: `${provider.name} answered without a list. Check the address: it ends with the version path, such as /v1.`,
        })
      entries.push(...asList(list))
      query = provider.getNextPage?.(body)
    } finally {
      exchange.close()
    }
    // A repeated page would loop forever.
    if (query !== undefined && visitedQueries.has(query)) break
    if (query !== undefined) visitedQueries.add(query)
  } while (query !== undefined && visitedQueries.size < maxPages && entries.length < maxEntries)
  return entries.slice(0, maxEntries)
}
