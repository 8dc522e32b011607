import type { Provider } from '#contract/agents/model-settings.ts'
import { callProvider } from './call-provider.ts'
import { Exchange } from './exchange.ts'
import { asList, asObject } from './json-values.ts'
import { getLimits, getListMs } from './model-limits.ts'
import type { Credential, ModelRuntime } from './model-request.ts'
import { toCallUrl } from './provider-address.ts'
import { getProvider } from './providers/registry.ts'
import { readJsonBody } from './read-answer.ts'
import { requireSendableKey } from './translate-failure.ts'

/** Entries read of one list; a provider offers a few hundred. */
const maxEntries = 2000

export interface ListRequest {
  provider: Provider
  credential: Credential
  signal: AbortSignal
}

/**
 * The first 2,000 entries of one of a provider's lists, whichever member they come under. One try, within
 * a few seconds.
 *
 * @throws ModelFailure
 */
export async function fetchList(
  runtime: ModelRuntime,
  { provider: id, credential, signal }: ListRequest,
  path: string,
): Promise<Record<string, unknown>[]> {
  const provider = getProvider(id)
  const context = { provider, secrets: { keys: credential.key ? [credential.key] : [], privateTexts: [] } }
  requireSendableKey(context, credential.key)
  const wallMs = getListMs(runtime, credential)
  const limits = { ...getLimits(runtime, credential, { isWhole: true }), firstByteMs: wallMs, wallMs }
  const exchange = new Exchange(context, limits, { wallLeftMs: wallMs, signal })
  try {
    const response = await callProvider(runtime, exchange, {
      url: toCallUrl(provider, credential, path),
      headers: { accept: 'application/json', ...provider.getHeaders(credential.key), ...credential.headers },
    })
    const value = await readJsonBody(response, exchange)
    const { data, voices, models } = asObject(value)
    return asList(Array.isArray(value) ? value : (data ?? voices ?? models)).slice(0, maxEntries)
  } finally {
    exchange.close()
  }
}
