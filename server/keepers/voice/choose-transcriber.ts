import type { Person } from '#server/accounts/person.ts'
import { getModelList } from '#server/agents/model-lists/provider-lists.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import { getCatalog } from '#server/models/catalog/catalog.ts'
import type { ListedModel } from '#server/models/providers/provider.ts'
import { type Transcriber, transcribers } from '#server/models/transcribe.ts'
import type { Services } from '#server/services.ts'

export interface ChosenTranscriber {
  provider: Transcriber
  model: string
  key: ChosenKey
}

/** A provider with a personal key, else one with a platform key. A failing personal key is never replaced. */
export async function chooseTranscriber(services: Services, person: Person): Promise<ChosenTranscriber | undefined> {
  const ownerlessAgent = { owner_id: null, visitors_spend_owner_key: false }
  const candidates = await Promise.all(
    transcribers.map(async (provider) => ({
      provider,
      key: await chooseKey(services, { personId: person.id, agent: ownerlessAgent }, provider),
    })),
  )
  const findBySource = (source: ChosenKey['source']) => candidates.find(({ key }) => key.source === source)
  const chosenProvider = findBySource('personal') ?? findBySource('platform')
  return chosenProvider && { ...chosenProvider, model: await chooseModel(services, person, chosenProvider.provider) }
}

async function chooseModel(services: Services, person: Person, provider: Transcriber): Promise<string> {
  const recommended = getCatalog()
    .listRecommended(provider, 'transcription')
    .map(({ id }) => id)
  const [fallbackModel = 'whisper-1'] = recommended
  const { baseUrl } = services.settings.providers[provider]
  if (baseUrl === null) return fallbackModel
  const getListedModels = () => services.lists.getLatest<ListedModel>({ kind: 'models', provider, baseUrl })
  if (!getListedModels()) await getModelList(services, person, { provider })
  const listedIds = getListedModels()?.map(({ id }) => id) ?? []
  return (
    recommended.find((model) => listedIds.includes(model)) ??
    listedIds.find((model) => /transcri|whisper/i.test(model)) ??
    fallbackModel
  )
}
