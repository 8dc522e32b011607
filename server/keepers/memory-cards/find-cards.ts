import { builtInModel, type SearchedByMeaning } from '#contract/keepers/memory-cards.ts'
import { Problem } from '#server/http/problem.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { chooseEmbeddingModel, type EmbeddingModel } from './embedding-model.ts'
import { findByMeaning } from './find-by-meaning.ts'
import { findByWords } from './find-by-words.ts'
import { indexPendingCards } from './index-cards.ts'
import { getQueryVector } from './query-vector.ts'

export interface CardSearch {
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>
  limit: number
  /** Only approved cards that are not marked "not for AI". */
  forAi?: boolean
}

export interface CardMatch {
  id: string
  matched: ('words' | 'meaning')[]
  score: number
}

/** The constant of reciprocal rank fusion: a large one favors cards in both rankings. */
const rankConstant = 60
const partialMatchPenalty = 60
/** The built-in vector is only a fuzzier word search. */
const lexicalWeight = 0.25

/** Merges word and meaning search by reciprocal rank fusion. `meaning` says why a query could not be embedded. */
export async function findCards(
  services: Services,
  search: CardSearch,
  query: string,
): Promise<{ matches: CardMatch[]; meaning: SearchedByMeaning }> {
  await indexPendingCards(services, search.keeper.id)
  const [wordMatches, meaningMatches] = await Promise.all([
    findByWords(services, search, query),
    searchByMeaning(services, search, query),
  ])
  const matchById = new Map<string, CardMatch>()
  const rankings = [
    { kind: 'words', ids: wordMatches.withAll, penalty: 0, weight: 1 },
    { kind: 'words', ids: wordMatches.withSome, penalty: partialMatchPenalty, weight: 1 },
    {
      kind: 'meaning',
      ids: meaningMatches.ids,
      penalty: 0,
      weight: meaningMatches.meaning.lexical ? lexicalWeight : 1,
    },
  ] as const
  for (const { kind, ids, penalty, weight } of rankings) {
    for (const [rank, id] of ids.entries()) {
      const match = matchById.get(id) ?? { id, matched: [], score: 0 }
      match.matched.push(kind)
      match.score += weight / (rankConstant + penalty + rank + 1)
      matchById.set(id, match)
    }
  }
  const matches = [...matchById.values()].toSorted((a, b) => b.score - a.score).slice(0, search.limit)
  return { matches, meaning: meaningMatches.meaning }
}

async function searchByMeaning(
  services: Services,
  search: CardSearch,
  query: string,
): Promise<{ ids: string[]; meaning: SearchedByMeaning }> {
  const model = await chooseEmbeddingModel(services, search.keeper.owner_id)
  const meaning = { searched: true, model: model.name, lexical: model.name === builtInModel, reason: null }
  const skipWithReason = (reason: string) => ({ ids: [], meaning: { ...meaning, searched: false, reason } })
  if (!(await hasCardVectors(services, search, model)))
    return skipWithReason('No cards are embedded with the current model yet.')
  try {
    const vector = await getQueryVector(services, { personId: search.keeper.owner_id, model, query })
    if (!vector) return { ids: [], meaning }
    return { ids: await findByMeaning(services, search, { model, vector }), meaning }
  } catch (error) {
    if (error instanceof ModelFailure || error instanceof Problem) return skipWithReason(error.message)
    throw error
  }
}

async function hasCardVectors({ db }: Services, { keeper }: CardSearch, model: EmbeddingModel): Promise<boolean> {
  if (!model.providerChoice) return true
  const vectorRow = await db
    .selectFrom('card_vectors')
    .select('card_id')
    .where('keeper_id', '=', keeper.id)
    .where('model', '=', model.name)
    .limit(1)
    .executeTakeFirst()
  return vectorRow !== undefined
}
