import type { Provider } from '#contract/agents/model-settings.ts'
import { builtInEmbedding } from '#contract/keepers/memory-cards.ts'
import { Problem } from '#server/http/problem.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'

export interface ProvidersModel {
  provider: Extract<Provider, 'openai' | 'together'>
  /** As the provider calls it. */
  model: string
  dimensions: number
  /** Of the name `model` is kept under, where the provider can shorten its vectors. */
  shortened: boolean
  /** Of each text; what comes after is not read by the model. */
  mostCharacters: number
}

/** What each provider embeds with. Vectors of 512 values find as well as the full ones and take a third of the room. */
const models: ProvidersModel[] = [
  { provider: 'openai', model: 'text-embedding-3-small', dimensions: 512, shortened: true, mostCharacters: 8_000 },
  {
    provider: 'together',
    model: 'intfloat/multilingual-e5-large-instruct',
    dimensions: 1024,
    shortened: false,
    mostCharacters: 1_500,
  },
]

export interface EmbeddingModel {
  /** What vectors made now are kept under. */
  name: string
  /** Absent for the built-in one, which asks nobody. */
  from?: (ProvidersModel & { key: ChosenKey }) | (ProvidersModel & { refused: Problem })
}

const builtIn: EmbeddingModel = { name: builtInEmbedding }

/**
 * What this person's cards are embedded with now: with their own key, else with the platform's, OpenAI before Together;
 * without one, by Keeper itself. A key that cannot be used stays the choice, so that no other is spent in its place.
 */
export async function embeddingModelFor(services: Services, personId: string): Promise<EmbeddingModel> {
  const agent = { owner_id: null, visitors_spend_owner_key: false }
  const choices = await Promise.all(
    models.map(async (model) => {
      try {
        return { ...model, key: await chooseKey(services, { personId, agent }, model.provider) }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { ...model, refused: error }
      }
    }),
  )
  const chosen =
    choices.find((choice) => 'refused' in choice || choice.key.source === 'personal') ??
    choices.find((choice) => 'key' in choice && choice.key.source === 'platform')
  return chosen ? { name: chosen.model, from: chosen } : builtIn
}
