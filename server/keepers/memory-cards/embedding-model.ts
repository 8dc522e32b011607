import { builtInModel } from '#contract/keepers/memory-cards.ts'
import { Problem } from '#server/http/problem.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'

interface ProviderModel {
  provider: 'openai' | 'together'
  model: string
  dimensions: number
  /** Whether the model can shorten its vectors to the requested dimensions. */
  canShorten: boolean
  minSimilarity: number
  /** Per text; the model ignores the end of a longer one. */
  maxCharacters: number
}

/** 512 values find nearly as well as the full vectors in a third of the space. */
const providerModels: ProviderModel[] = [
  {
    provider: 'openai',
    model: 'text-embedding-3-small',
    dimensions: 512,
    canShorten: true,
    minSimilarity: 0.25,
    maxCharacters: 8_000,
  },
  {
    provider: 'together',
    model: 'intfloat/multilingual-e5-large-instruct',
    dimensions: 1024,
    canShorten: false,
    minSimilarity: 0.8,
    maxCharacters: 1_200,
  },
]

/** `refused`: the key exists but cannot be opened. */
export type ProviderChoice = ProviderModel & ({ key: ChosenKey } | { refused: Problem })

export interface EmbeddingModel {
  /** Stored with each vector. */
  name: string
  minSimilarity: number
  providerChoice?: ProviderChoice
}

const builtInEmbeddingModel: EmbeddingModel = { name: builtInModel, minSimilarity: 0.2 }

/** Personal keys come before platform keys, OpenAI before Together, then the built-in model. An unusable key stays the
 * choice, so that no other key is charged instead. */
export async function chooseEmbeddingModel(services: Services, personId: string): Promise<EmbeddingModel> {
  const agent = { owner_id: null, visitors_spend_owner_key: false }
  const choices = await Promise.all(
    providerModels.map(async (model) => {
      try {
        return { ...model, key: await chooseKey(services, { personId, agent }, model.provider) }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { ...model, refused: error }
      }
    }),
  )
  const chosenModel =
    choices.find((choice) => 'refused' in choice || choice.key.source === 'personal') ??
    choices.find((choice) => 'key' in choice && choice.key.source === 'platform')
  return chosenModel
    ? { name: chosenModel.model, minSimilarity: chosenModel.minSimilarity, providerChoice: chosenModel }
    : builtInEmbeddingModel
}
