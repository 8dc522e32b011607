import { sql } from 'kysely'
import type { CardSearchResult } from '#contract/keepers/memory-cards.ts'
import { stripMarkdown } from '#contract/plain-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { takeFittingRows } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { getQueryWords, normalizeWord } from './card-words.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'
import { findCards } from './find-cards.ts'
import { cardColumns, toCardView } from './list-cards.ts'

const maxSnippetLength = 220
const leadLength = 60

interface Snippet {
  snippet: string
  marks: [number, number][]
}

export function createSnippet(markdown: string, query: string): Snippet | undefined {
  const { text: content, seams } = stripMarkdown(markdown)
  const matches = findMatches(query, content, seams)
  const [first] = matches
  if (!first) return undefined
  const start = findStart(content, first[0])
  const end = findEnd(content, Math.max(start + maxSnippetLength, Math.min(first[1], start + 2 * maxSnippetLength)))
  const prefix = start > 0 ? '… ' : ''
  const shift = prefix.length - start
  return {
    snippet: `${prefix}${content.slice(start, end)}${end < content.length ? ' …' : ''}`,
    marks: matches.filter(([, to]) => to <= end).map(([from, to]) => [from + shift, to + shift]),
  }
}

function findMatches(query: string, content: string, seams: readonly number[]): [number, number][] {
  const queryWords = getQueryWords(query)
  const last = queryWords.at(-1)
  // Normalization changes lengths, so each word is normalized separately.
  const matchesQuery = (from: number, to: number) =>
    normalizeWord(content.slice(from, to)).some(
      (normalizedWord) =>
        queryWords.includes(normalizedWord) || (last && last.length > 1 && normalizedWord.startsWith(last)),
    )
  const matches: [number, number][] = []
  let seamIndex = 0
  for (const { 0: word, index } of content.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (matches[0] && index > matches[0][0] + 2 * maxSnippetLength) break
    const end = index + word.length
    while ((seams[seamIndex] ?? end) <= index) seamIndex += 1
    const cutPositions: number[] = []
    for (; (seams[seamIndex] ?? end) < end; seamIndex += 1) cutPositions.push(seams[seamIndex] ?? end)
    if (matchesQuery(index, end)) matches.push([index, end])
    else
      for (const [from, to] of splitAtSeams(index, cutPositions, end))
        if (matchesQuery(from, to)) matches.push([from, to])
  }
  return matches
}

const splitAtSeams = (from: number, cutPositions: readonly number[], to: number): [number, number][] =>
  cutPositions.length === 0
    ? []
    : [from, ...cutPositions].map((partStart, index) => [partStart, cutPositions[index] ?? to])

function findStart(content: string, position: number): number {
  if (position <= leadLength) return 0
  const space = content.slice(position - leadLength, position).search(/\s/)
  return space === -1 ? position : position - leadLength + space + 1
}

function findEnd(content: string, position: number): number {
  if (position >= content.length) return content.length
  const space = content.slice(0, position).search(/\s\S*$/)
  return space > position - leadLength ? space : position
}

const defaultLimit = 20

const cardBytes = sql<number>`octet_length(content)`

/** Keeps SQLite from scanning by this column instead of looking up the few ids. */
const bypassIndex = (column: 'keeper_id' | 'owner_id') => sql<string>`coalesce(${sql.ref(column)}, '')`

/** `meaning` in the reply tells whether and with which model the meaning was searched. @throws Problem 404 */
export async function searchCards(
  services: Services,
  person: Person,
  keeperId: string,
  { query, limit = defaultLimit }: { query: string; limit?: number | undefined },
): Promise<Reply<CardSearchResult[]>> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { matches, meaning } = await findCards(services, { keeper, limit }, query)
  const selectCards = (ids: readonly string[]) =>
    db
      .selectFrom('memory_cards')
      .where('id', 'in', ids)
      .where(bypassIndex('keeper_id'), '=', keeper.id)
      .where(bypassIndex('owner_id'), '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
  const ids = matches.map(({ id }) => id)
  const sizes =
    ids.length === 0
      ? []
      : await selectCards(ids)
          .select(['id', cardBytes.as('size')])
          .execute()
  const ranked = sizes.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  const pageIds = takeFittingRows(ranked).map(({ id }) => id)
  const rows = pageIds.length === 0 ? [] : await selectCards(pageIds).select(cardColumns).execute()
  const cards = new Map(rows.map((row) => [row.id, row]))
  const { name: model } = await chooseEmbeddingModel(services, person.id)
  return new Reply(
    matches.flatMap(({ id, matched, score }) => {
      const row = cards.get(id)
      if (!row) return []
      return [{ card: toCardView(row, model), matched, score, ...createSnippet(row.content, query) }]
    }),
    { extra: { meaning } },
  )
}
