import { fetchList, type ListRequest } from './fetch-list.ts'
import type { ModelRuntime } from './model-request.ts'

export interface Voice {
  id: string
  name: string
}

/**
 * The voices this ElevenLabs key may speak with.
 *
 * @throws ModelFailure, after at most 5 seconds.
 */
export async function listVoices(runtime: ModelRuntime, request: Omit<ListRequest, 'provider'>): Promise<Voice[]> {
  const entries = await fetchList(runtime, { ...request, provider: 'elevenlabs' }, '/voices')
  return entries.flatMap(({ voice_id, name }) =>
    typeof voice_id === 'string' ? [{ id: voice_id, name: typeof name === 'string' ? name : voice_id }] : [],
  )
}
