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

/** Whose cards are looked at, and how many are wanted. */
export interface Looking {
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>
  limit: number
  /** Only what may be put before a model: not marked "not for AI", and approved. */
  forAi?: boolean
}

export interface Finding {
  id: string
  matched: ('words' | 'meaning')[]
  score: number
}

/** In a merged ranking the first places differ by little, so that being in both counts for more. */
const evenness = 60
/** Some of the words count as if so many cards with all of them came before. */
const behindAll = 60
/** The built-in vector looks at the words once more, only less strictly. */
const weightOfLexical = 0.25

/**
 * The cards of a keeper that fit a question, by words and by meaning, best first. What the two searches rank is merged
 * by the places alone (reciprocal rank fusion), as their measures cannot be compared. Where the question cannot be
 * embedded, words have to do, and `meaning` says so.
 */
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
  if (!(await hasVectors(services, looking, model))) return without('No card is embedded with the present model yet.')
  try {
    const vector = await queryVector(services, { personId: looking.keeper.owner_id, model, query })
    if (!vector) return { ids: [], meaning }
    return { ids: await findByMeaning(services, looking, { model, vector }), meaning }
  } catch (error) {
    // The words are found all the same.
    if (error instanceof ModelFailure || error instanceof Problem) return without(error.message)
    throw error
  }
}

/** Where nothing can be found by meaning, no provider is asked. */
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
