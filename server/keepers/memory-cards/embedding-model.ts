import { builtInModel } from '#contract/keepers/memory-cards.ts'
import { Problem } from '#server/http/problem.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'

interface ProvidersModel {
  provider: 'openai' | 'together'
  /** As the provider calls it. */
  model: string
  dimensions: number
  /** Asked for with so many dimensions: only some models can shorten their vectors. */
  shortened: boolean
  leastLikeness: number
  /** Of each text; what comes after is not read by the model. */
  mostCharacters: number
}

/** What each provider embeds with. Vectors of 512 values find nearly as well as the full ones, in a third of the room. */
const models: ProvidersModel[] = [
  {
    provider: 'openai',
    model: 'text-embedding-3-small',
    dimensions: 512,
    shortened: true,
    leastLikeness: 0.25,
    mostCharacters: 8_000,
  },
  {
    provider: 'together',
    model: 'intfloat/multilingual-e5-large-instruct',
    dimensions: 1024,
    shortened: false,
    leastLikeness: 0.8,
    mostCharacters: 1_200,
  },
]

/** `refused`: there is a key, and it cannot be opened. */
export type ProvidersChoice = ProvidersModel & ({ key: ChosenKey } | { refused: Problem })

export interface EmbeddingModel {
  /** What vectors made now are kept under. */
  name: string
  /** From which cosine on two texts are taken to speak of the same. */
  leastLikeness: number
  /** Absent for the built-in one, which asks nobody. */
  from?: ProvidersChoice
}

const builtIn: EmbeddingModel = { name: builtInModel, leastLikeness: 0.2 }

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
  return chosen ? { name: chosen.model, leastLikeness: chosen.leastLikeness, from: chosen } : builtIn
}
