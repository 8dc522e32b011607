import { sql } from 'kysely'
import type { Services } from '#server/services.ts'
import { getQueryWords } from './card-words.ts'
import type { CardSearch } from './find-cards.ts'

const maxWithAll = 250
const maxWithOne = 120
/** A shorter prefix, or one that many cards contain as a word, would expand to too many words in the index. */
const minPrefixLength = 2

interface Candidate {
  id: string
  words: string
}

export interface WordMatches {
  withAll: string[]
  withSome: string[]
}

export async function findByWords(services: Services, search: CardSearch, query: string): Promise<WordMatches> {
  const queryWords = getQueryWords(query)
  const last = queryWords.at(-1)
  if (last === undefined) return { withAll: [], withSome: [] }
  const lastWordMatches = await findCandidates(services, search, { words: [last], limit: maxWithAll })
  const prefix = lastWordMatches.length < maxWithOne && last.length >= minPrefixLength ? last : undefined
  const isSingleWord = queryWords.length === 1
  const withAll =
    isSingleWord && !prefix
      ? lastWordMatches
      : await findCandidates(services, search, { words: queryWords, prefix, limit: maxWithAll })
  const rankedMatches = rankByScore(withAll, queryWords)
  if (rankedMatches.length >= search.limit || isSingleWord) return { withAll: rankedMatches, withSome: [] }
  const candidatesByWord = await Promise.all(
    queryWords.map((word) =>
      word === last && !prefix
        ? lastWordMatches.slice(0, maxWithOne)
        : findCandidates(services, search, { words: [word], prefix, limit: maxWithOne }),
    ),
  )
  const rankedIds = new Set(rankedMatches)
  return { withAll: rankedMatches, withSome: rankByRareWords(candidatesByWord).filter((id) => !rankedIds.has(id)) }
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

/** BM25 without inverse document frequency, as every candidate has all words; adjacent words count extra. */
function rankByScore(candidateList: Candidate[], queryWords: string[]): string[] {
  const texts = candidateList.map(({ words: textWords }) => textWords.split(' '))
  const averageLength = texts.reduce((total, textWords) => total + textWords.length, 0) / Math.max(1, texts.length)
  const phrase = queryWords.join(' ')
  const last = queryWords.at(-1) ?? ''
  const scores = candidateList.map(({ id, words: text }, index) => {
    const textWords = texts[index] ?? []
    const damping = 1.2 * (0.25 + (0.75 * textWords.length) / averageLength)
    let score = queryWords.length > 1 && ` ${text}`.includes(` ${phrase}`) ? 1 : 0
    for (const word of queryWords) {
      const count = textWords.filter(
        (textWord) => textWord === word || (word === last && textWord.startsWith(word)),
      ).length
      const exactBonus = textWords.includes(word) ? 0.5 : 0
      score += (count * 2.2) / (count + damping) + exactBonus
    }
    return { id, fit: score }
  })
  return scores.toSorted((a, b) => b.fit - a.fit).map(({ id }) => id)
}

function rankByRareWords(candidatesByWord: Candidate[][]): string[] {
  const scores = new Map<string, number>()
  for (const candidateList of candidatesByWord) {
    const weight = 1 / Math.log2(2 + candidateList.length)
    for (const { id } of candidateList) scores.set(id, (scores.get(id) ?? 0) + weight)
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([id]) => id)
}
