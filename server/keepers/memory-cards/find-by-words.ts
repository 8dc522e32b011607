import { sql } from 'kysely'
import type { Services } from '#server/services.ts'
import { wordsAskedFor } from './card-words.ts'
import type { Looking } from './find-cards.ts'

const mostWithAll = 250
const mostWithOne = 120
/** A shorter prefix, or one that many cards contain as a word, would expand to too many words in the index. */
const shortestBeginning = 2

interface Candidate {
  id: string
  words: string
}

/** Ids, best first. */
export interface FoundByWords {
  withAll: string[]
  withSome: string[]
}

/** The last word can be a prefix. The owner is part of the index query. */
export async function findByWords(services: Services, looking: Looking, query: string): Promise<FoundByWords> {
  const words = wordsAskedFor(query)
  const last = words.at(-1)
  if (last === undefined) return { withAll: [], withSome: [] }
  const withLast = await candidates(services, looking, { words: [last], limit: mostWithAll })
  const beginning = withLast.length < mostWithOne && last.length >= shortestBeginning ? last : undefined
  const isAlone = words.length === 1
  const withAll =
    isAlone && !beginning ? withLast : await candidates(services, looking, { words, beginning, limit: mostWithAll })
  const ranked = byFit(withAll, words)
  if (ranked.length >= looking.limit || isAlone) return { withAll: ranked, withSome: [] }
  const withEach = await Promise.all(
    words.map((word) =>
      word === last && !beginning
        ? withLast.slice(0, mostWithOne)
        : candidates(services, looking, { words: [word], beginning, limit: mostWithOne }),
    ),
  )
  const known = new Set(ranked)
  return { withAll: ranked, withSome: byRareWords(withEach).filter((id) => !known.has(id)) }
}

function candidates(
  { db }: Services,
  { keeper, forAi }: Looking,
  { words, beginning, limit }: { words: string[]; beginning?: string | undefined; limit: number },
): Promise<Candidate[]> {
  const ofKeeper = sql`memory_cards.keeper_id = ${keeper.id} and memory_cards.owner_id = ${keeper.owner_id}
    and memory_cards.deleted_at is null
    ${forAi ? sql`and memory_cards.ai_visible and memory_cards.state = 'active'` : sql``}`
  // Words are letters and digits only, so they contain no operator of either engine.
  if (db.engine === 'postgres') {
    const asked = words.map((word) => `'${word}'${word === beginning ? ':*' : ''}`).join(' & ')
    return db.longRead<Candidate>(sql`select memory_cards.id, memory_cards.words from memory_cards
      where array_to_tsvector(string_to_array(memory_cards.words, ' ')) @@ ${asked}::tsquery and ${ofKeeper}
      order by memory_cards.created_at desc, memory_cards.id limit ${limit}`)
  }
  const asked = words.map((word) => `"${word}"${word === beginning ? '*' : ''}`).join(' AND ')
  const match = `keeper:"${keeper.id.replaceAll('"', '""')}" AND words:(${asked})`
  return db.longRead<Candidate>(sql`select memory_cards.id, memory_cards.words
    from card_words cross join memory_cards on memory_cards.id = card_words.card
    where card_words match ${match} and ${ofKeeper}
    order by card_words.rowid desc limit ${limit}`)
}

/** BM25 without inverse document frequency, as every candidate has all words; adjacent words count extra. */
function byFit(found: Candidate[], asked: string[]): string[] {
  const texts = found.map(({ words }) => words.split(' '))
  const usual = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length)
  const phrase = asked.join(' ')
  const last = asked.at(-1) ?? ''
  const fits = found.map(({ id, words: text }, at) => {
    const words = texts[at] ?? []
    const damping = 1.2 * (0.25 + (0.75 * words.length) / usual)
    let fit = asked.length > 1 && ` ${text}`.includes(` ${phrase}`) ? 1 : 0
    for (const word of asked) {
      const count = words.filter((each) => each === word || (word === last && each.startsWith(word))).length
      const whole = words.includes(word) ? 0.5 : 0
      fit += (count * 2.2) / (count + damping) + whole
    }
    return { id, fit }
  })
  return fits.toSorted((a, b) => b.fit - a.fit).map(({ id }) => id)
}

function byRareWords(withEach: Candidate[][]): string[] {
  const fits = new Map<string, number>()
  for (const found of withEach) {
    const weight = 1 / Math.log2(2 + found.length)
    for (const { id } of found) fits.set(id, (fits.get(id) ?? 0) + weight)
  }
  return [...fits].toSorted(([, a], [, b]) => b - a).map(([id]) => id)
}
