import { builtInModel, type SearchedByMeaning } from '#contract/keepers/memory-cards.ts'
import { Problem } from '#server/http/problem.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type EmbeddingModel, embeddingModelFor } from './embedding-model.ts'
import { findByMeaning } from './find-by-meaning.ts'
import { findByWords } from './find-by-words.ts'
import { queryVector } from './query-vector.ts'
import { readUnreadCards } from './read-cards.ts'

export interface Looking {
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>
  limit: number
  /** Only approved cards that are not marked "not for AI". */
  forAi?: boolean
}

export interface Finding {
  id: string
  matched: ('words' | 'meaning')[]
  score: number
}

/** The constant of reciprocal rank fusion: a large one favors cards in both rankings. */
const evenness = 60
/** Rank penalty for cards with only some of the words. */
const behindAll = 60
/** The built-in vector is only a fuzzier word search. */
const weightOfLexical = 0.25

/** Searches by words and by meaning, and merges both by reciprocal rank fusion. `meaning` says why a query could not be
 * embedded; the word search still applies. */
export async function findCards(
  services: Services,
  looking: Looking,
  query: string,
): Promise<{ found: Finding[]; meaning: SearchedByMeaning }> {
  await readUnreadCards(services, looking.keeper.id)
  const [byWords, byMeaning] = await Promise.all([
    findByWords(services, looking, query),
    lookByMeaning(services, looking, query),
  ])
  const findings = new Map<string, Finding>()
  const rankings = [
    { kind: 'words', ids: byWords.withAll, behind: 0, weight: 1 },
    { kind: 'words', ids: byWords.withSome, behind: behindAll, weight: 1 },
    { kind: 'meaning', ids: byMeaning.ids, behind: 0, weight: byMeaning.meaning.lexical ? weightOfLexical : 1 },
  ] as const
  for (const { kind, ids, behind, weight } of rankings) {
    for (const [place, id] of ids.entries()) {
      const finding = findings.get(id) ?? { id, matched: [], score: 0 }
      finding.matched.push(kind)
      finding.score += weight / (evenness + behind + place + 1)
      findings.set(id, finding)
    }
  }
  const found = [...findings.values()].toSorted((a, b) => b.score - a.score).slice(0, looking.limit)
  return { found, meaning: byMeaning.meaning }
}

async function lookByMeaning(
  services: Services,
  looking: Looking,
  query: string,
): Promise<{ ids: string[]; meaning: SearchedByMeaning }> {
  const model = await embeddingModelFor(services, looking.keeper.owner_id)
  const meaning = { searched: true, model: model.name, lexical: model.name === builtInModel, reason: null }
  const without = (reason: string) => ({ ids: [], meaning: { ...meaning, searched: false, reason } })
  if (!(await hasVectors(services, looking, model))) return without('No cards are embedded with the current model yet.')
  try {
    const vector = await queryVector(services, { personId: looking.keeper.owner_id, model, query })
    if (!vector) return { ids: [], meaning }
    return { ids: await findByMeaning(services, looking, { model, vector }), meaning }
  } catch (error) {
    // The word search still answers.
    if (error instanceof ModelFailure || error instanceof Problem) return without(error.message)
    throw error
  }
}

async function hasVectors({ db }: Services, { keeper }: Looking, model: EmbeddingModel): Promise<boolean> {
  if (!model.from) return true
  const one = await db
    .selectFrom('card_vectors')
    .select('card_id')
    .where('keeper_id', '=', keeper.id)
    .where('model', '=', model.name)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}
