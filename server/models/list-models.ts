import { fetchList, type ListRequest } from './fetch-list.ts'
import type { ModelRuntime } from './model-request.ts'
import { isOwnAddress } from './provider-address.ts'
import { getProvider } from './providers/registry.ts'

const maxNameLength = 200

/**
 * The names of the models this key may chat with (for ElevenLabs: speak with), in the provider's order.
 *
 * @throws ModelFailure, after at most 5 seconds.
 */
export async function listModels(runtime: ModelRuntime, request: ListRequest): Promise<string[]> {
  const provider = getProvider(request.provider)
  const choice = { isOwnAddress: isOwnAddress(provider, request.credential) }
  const entries = await fetchList(runtime, request, provider.modelsPath)
  return entries
    .map((entry) => provider.readModel(entry, choice)?.id ?? '')
    .filter((name) => name !== '' && name.length <= maxNameLength)
}
