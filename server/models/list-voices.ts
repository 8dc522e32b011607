import { truncate } from '#contract/truncate.ts'
import { fetchList, type ListRequest } from './fetch-list.ts'
import type { ModelRuntime } from './model-request.ts'

const maxIdLength = 200

export interface Voice {
  id: string
  name: string
}

export async function listVoices(runtime: ModelRuntime, request: Omit<ListRequest, 'provider'>): Promise<Voice[]> {
  const entries = await fetchList(runtime, { ...request, provider: 'elevenlabs' }, '/voices')
  return entries.flatMap(({ voice_id, name }) =>
    typeof voice_id === 'string' && voice_id.length <= maxIdLength
      ? [{ id: voice_id, name: typeof name === 'string' ? truncate(name, maxIdLength) : voice_id }]
      : [],
  )
}
