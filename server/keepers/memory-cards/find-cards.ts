import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { builtInModel, type MeaningSearchInfo } from '#contract/keepers/memory-cards.ts'
import { LruMap } from '#contract/lru-map.ts'
import { Problem } from '#server/http/problem.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import { isOwnedIn, type KeeperRow } from '../keeper-access.ts'
import { computeBuiltInEmbedding } from './built-in-embedding.ts'
import { getQueryWords } from './card-words.ts'
import { chooseEmbeddingModel, type EmbeddingModel } from './embedding-model.ts'
import { indexPendingCards } from './index-cards.ts'
import { requestEmbeddings } from './request-embeddings.ts'
import { findNearestCards } from './vector-sets.ts'
import { cosineSimilarity, parseVectorBytes, toSignBits, type Vector } from './vectors.ts'

/** The first pass compares only sign bits and selects this multiple of the limit for an exact comparison. */
const firstPassFactor = 6
const minFirstPass = 120
const batchSize = 400

async function findByMeaning(
  services: Services,
  search: CardSearch,
  { model, vector }: { model: EmbeddingModel; vector: Vector },
): Promise<string[]> {
  const set = { keeperId: search.keeper.id, model: model.name }
  let candidateCount = Math.max(minFirstPass, search.limit * firstPassFactor)
  for (;;) {
    const { ids, size } = await findNearestCards(services, set, toSignBits(vector), candidateCount)
    const vectorRows = await loadVectors(services, search, { ids, model: model.name })
    if (vectorRows.length >= search.limit || ids.length >= size || ids.length < candidateCount) {
      return vectorRows
        .map(({ card_id, vector: bytes }) => ({
          id: card_id,
          similarity: cosineSimilarity(vector, parseVectorBytes(bytes)),
        }))
        .filter(({ similarity }) => similarity >= model.minSimilarity)
        .toSorted((a, b) => b.similarity - a.similarity)
        .map(({ id }) => id)
    }
    candidateCount *= 4
  }
}

async function loadVectors(
  { db }: Services,
  { keeper, forAi }: CardSearch,
  { ids, model }: { ids: string[]; model: string },
): Promise<{ card_id: string; vector: Uint8Array }[]> {
  const vectors: { card_id: string; vector: Uint8Array }[] = []
  for (let offset = 0; offset < ids.length; offset += batchSize) {
    let query = db
      .selectFrom('card_vectors')
      // A cross join, so that SQLite does not scan all cards of the keeper.
      .crossJoin('memory_cards')
      .whereRef('memory_cards.id', '=', 'card_vectors.card_id')
      .select(['card_vectors.card_id', 'card_vectors.vector'])
      .where('card_vectors.card_id', 'in', ids.slice(offset, offset + batchSize))
      .where('card_vectors.model', '=', model)
      .where(isOwnedIn(keeper, 'memory_cards'))
    if (forAi) query = query.where('memory_cards.ai_visible', '=', true).where('memory_cards.state', '=', 'active')
    vectors.push(...(await db.longRead(query)))
  }
  return vectors
}

/** The person is waiting: after this time, a word search alone is better. */
const embeddingTimeoutMs = 4_000
const cacheTtlMs = 10 * 60 * 1000
const maxCachedVectors = 500

interface CachedVector {
  vector: Vector
  expiresAt: number
}
/** Keyed by a hash, so that the query itself is not stored. */
const vectorCache = new WeakMap<Services, LruMap<string, CachedVector>>()

/** Undefined without words. @throws ModelFailure; Problem when a budget is exhausted or the key cannot be opened */
async function getQueryVector(
  services: Services,
  { personId, model, query }: { personId: string; model: EmbeddingModel; query: string },
): Promise<Vector | undefined> {
  if (!model.providerChoice) return computeBuiltInEmbedding(query)
  const cache = vectorCache.get(services) ?? new LruMap<string, CachedVector>(maxCachedVectors)
  vectorCache.set(services, cache)
  const cacheKey = hash('sha256', JSON.stringify([personId, model.name, query]), 'base64url')
  const now = services.now().getTime()
  for (const [cachedKey, { expiresAt }] of cache) if (expiresAt <= now) cache.delete(cachedKey)
  const cached = cache.get(cacheKey)
  if (cached) return cached.vector
  const [vector] = await requestEmbeddings(services, {
    personId,
    runId: services.newId(),
    choice: model.providerChoice,
    texts: [query],
    retries: 0,
    signal: AbortSignal.timeout(embeddingTimeoutMs),
    limits: { noProgressMs: embeddingTimeoutMs, firstByteMs: embeddingTimeoutMs },
  })
  if (!vector) return undefined
  cache.set(cacheKey, { vector, expiresAt: now + cacheTtlMs })
  return vector
}

interface CardSearch {
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>
  limit: number
  /** Only approved cards that are not marked "not for AI". */
  forAi?: boolean
}

interface CardMatch {
  id: string
  matched: ('words' | 'meaning')[]
  score: number
}

/** The constant of reciprocal rank fusion: a large one favors cards in both rankings. */
const rankConstant = 60
/** A card with only some of the words counts as if it ranked this much lower. */
const partialMatchPenalty = 60
/** The built-in vector is only a fuzzier word search. */
const lexicalWeight = 0.25

/** Merges word and meaning search by reciprocal rank fusion. `meaning` says why a query could not be embedded. */
export async function findCards(
  services: Services,
  search: CardSearch,
  query: string,
): Promise<{ matches: CardMatch[]; meaning: MeaningSearchInfo }> {
  await indexPendingCards(services, search.keeper.id)
  const [wordMatches, meaningMatches] = await Promise.all([
    findByWords(services, search, query),
    searchByMeaning(services, search, query),
  ])
  const matchById = new Map<string, CardMatch>()
  const rankings = [
    { kind: 'words', ids: wordMatches.idsWithAll, penalty: 0, weight: 1 },
    { kind: 'words', ids: wordMatches.idsWithSome, penalty: partialMatchPenalty, weight: 1 },
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
): Promise<{ ids: string[]; meaning: MeaningSearchInfo }> {
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

const maxCardsWithAllWords = 250
const maxCardsWithOneWord = 120
/** A shorter prefix, or one that many cards contain as a word, would expand to too many words in the index. */
const minPrefixLength = 2

interface Candidate {
  id: string
  words: string
}

interface WordMatches {
  idsWithAll: string[]
  idsWithSome: string[]
}

async function findByWords(services: Services, search: CardSearch, query: string): Promise<WordMatches> {
  const queryWords = getQueryWords(query)
  const last = queryWords.at(-1)
  if (last === undefined) return { idsWithAll: [], idsWithSome: [] }
  const lastWordMatches = await findCandidates(services, search, { words: [last], limit: maxCardsWithAllWords })
  const prefix = lastWordMatches.length < maxCardsWithOneWord && last.length >= minPrefixLength ? last : undefined
  const isSingleWord = queryWords.length === 1
  const candidates =
    isSingleWord && !prefix
      ? lastWordMatches
      : await findCandidates(services, search, { words: queryWords, prefix, limit: maxCardsWithAllWords })
  const ids = rankByScore(candidates, queryWords)
  if (ids.length >= search.limit || isSingleWord) return { idsWithAll: ids, idsWithSome: [] }
  const candidatesByWord = await Promise.all(
    queryWords.map((word) =>
      word === last && !prefix
        ? lastWordMatches.slice(0, maxCardsWithOneWord)
        : findCandidates(services, search, { words: [word], prefix, limit: maxCardsWithOneWord }),
    ),
  )
  const rankedIds = new Set(ids)
  return { idsWithAll: ids, idsWithSome: rankByRareWords(candidatesByWord).filter((id) => !rankedIds.has(id)) }
}

function findCandidates(
  { db }: Services,
  { keeper, forAi }: CardSearch,
  { words: queryWords, prefix, limit }: { words: string[]; prefix?: string | undefined; limit: number },
): Promise<Candidate[]> {
  const keeperCondition = sql`memory_cards.keeper_id = ${keeper.id} and memory_cards.owner_id = ${keeper.owner_id}
    and memory_cards.deleted_at is null
    ${forAi ? sql`and memory_cards.ai_visible and memory_cards.state = 'active'` : sql``}`
  // Words are letters and digits only, so they contain no operator of either engine.
  if (db.engine === 'postgres') {
    const matchQuery = queryWords.map((word) => `'${word}'${word === prefix ? ':*' : ''}`).join(' & ')
    return db.longRead<Candidate>(sql`select memory_cards.id, memory_cards.words from memory_cards
      where array_to_tsvector(string_to_array(memory_cards.words, ' ')) @@ ${matchQuery}::tsquery and ${keeperCondition}
      order by memory_cards.created_at desc, memory_cards.id limit ${limit}`)
  }
  const matchQuery = queryWords.map((word) => `"${word}"${word === prefix ? '*' : ''}`).join(' AND ')
  const match = `keeper:"${keeper.id.replaceAll('"', '""')}" AND words:(${matchQuery})`
  return db.longRead<Candidate>(sql`select memory_cards.id, memory_cards.words
    from card_words cross join memory_cards on memory_cards.id = card_words.card
    where card_words match ${match} and ${keeperCondition}
    order by card_words.rowid desc limit ${limit}`)
}

const bm25 = { saturation: 1.2, lengthWeight: 0.75 }

/** BM25 without inverse document frequency, as every candidate has all words; adjacent words count extra. */
function rankByScore(candidateList: Candidate[], queryWords: string[]): string[] {
  const texts = candidateList.map(({ words: textWords }) => textWords.split(' '))
  const averageLength = texts.reduce((total, textWords) => total + textWords.length, 0) / Math.max(1, texts.length)
  const phrase = queryWords.join(' ')
  const last = queryWords.at(-1) ?? ''
  const scores = candidateList.map(({ id, words: text }, index) => {
    const textWords = texts[index] ?? []
    const damping = bm25.saturation * (1 - bm25.lengthWeight + (bm25.lengthWeight * textWords.length) / averageLength)
    let score = queryWords.length > 1 && ` ${text}`.includes(` ${phrase}`) ? 1 : 0
    for (const word of queryWords) {
      const count = textWords.filter(
        (textWord) => textWord === word || (word === last && textWord.startsWith(word)),
      ).length
      const exactBonus = textWords.includes(word) ? 0.5 : 0
      score += (count * (bm25.saturation + 1)) / (count + damping) + exactBonus
    }
    return { id, score }
  })
  return scores.toSorted((a, b) => b.score - a.score).map(({ id }) => id)
}

function rankByRareWords(candidatesByWord: Candidate[][]): string[] {
  const scores = new Map<string, number>()
  for (const candidateList of candidatesByWord) {
    const weight = 1 / Math.log2(2 + candidateList.length)
    for (const { id } of candidateList) scores.set(id, (scores.get(id) ?? 0) + weight)
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([id]) => id)
}
