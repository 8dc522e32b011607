import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { normalizeSearchText, normalizeWithPositions } from '#contract/search/normalize-search-text.ts'
import { truncate } from '#contract/truncate.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { indexPendingFor } from '#server/search-index/find-indexed.ts'
import type { Services } from '#server/services.ts'
import { shortenQuery } from './best-cards.ts'
import { loadExcerptItems } from './prompt-items.ts'
import { type DocumentPart, selectQuotableDocuments, toExcerptId } from './quotable-documents.ts'
import type { ReadableKeeper } from './readable-keepers.ts'

/** Documents of a keeper whose text is compared with a question. */
const maxDocuments = 200
/** Only the best of these documents are read, to compare their parts. */
const maxReadDocuments = 5
const maxTerms = 12
const maxQueryLength = 2_000
const maxExcerptLength = 1_500
const maxBeginnings = 2
/** Parts compared in one event-loop tick, so that other requests are handled in between. */
const partsPerTick = 50

interface ExcerptOptions {
  limit: number
  /** If no document has a word of the question: nothing, or the beginnings of the newest ones. */
  fallback: 'nothing' | 'beginnings'
}

/** Excerpts of documents that agents can quote, best first. */
export async function findBestExcerpts(
  services: Services,
  keeper: ReadableKeeper,
  question: string,
  { limit, fallback }: ExcerptOptions,
): Promise<PromptItem[]> {
  const documentIds = await listQuotableIds(services, keeper)
  if (documentIds.length === 0) return []
  const terms = toTerms(question)
  const ids = await rankDocuments(services, keeper, documentIds, terms)
  const scores = new Map<string, number>()
  const items = await loadExcerptItems(services, keeper, ids, async ({ id, parts }) => {
    const bestParts = await chooseParts(parts, terms, limit)
    for (const { part, score } of bestParts) scores.set(toExcerptId(id, part.id), score)
    return bestParts.map(({ part }) => part)
  })
  const ranked = items.toSorted((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0)).slice(0, limit)
  if (ranked.length > 0 || fallback === 'nothing') return ranked
  const newestIds = documentIds.slice(0, Math.min(maxBeginnings, limit))
  return loadExcerptItems(services, keeper, newestIds, ({ parts }) =>
    parts.slice(0, 1).map((part) => ({ ...part, text: truncate(part.text, maxExcerptLength) })),
  )
}

/** Newest first. */
async function listQuotableIds(services: Services, keeper: ReadableKeeper): Promise<string[]> {
  const rows = await selectQuotableDocuments(services, keeper.owner_id)
    .select('sources.id')
    .where('sources.keeper_id', '=', keeper.id)
    .orderBy('sources.occurred_at', 'desc')
    .orderBy('sources.id', 'desc')
    .limit(maxDocuments)
    .execute()
  return rows.map(({ id }) => id)
}

/** Ranks documents by how many of the terms they contain. One that isn't indexed yet counts as containing one term. */
async function rankDocuments(
  services: Services,
  keeper: ReadableKeeper,
  documentIds: string[],
  terms: readonly string[],
): Promise<string[]> {
  if (terms.length === 0) return []
  await indexPendingFor(services, keeper.owner_id)
  const indexOfSql = sql.raw(services.db.engine === 'postgres' ? 'strpos' : 'instr')
  const countSql = sql.join(
    terms.map((term) => sql`case when ${indexOfSql}(entry.text, ${term}) > 0 then 1 else 0 end`),
    sql` + `,
  )
  const rows = await services.db.longRead<{ id: string; count: number }>(
    sql`select entry.id, ${countSql} as count from search_entries as entry
      where entry.entity = 'source' and entry.id in (${sql.join(documentIds)})`,
  )
  const counts = new Map(rows.map((row) => [row.id, Number(row.count)]))
  const getCount = (id: string) => counts.get(id) ?? 1
  return documentIds
    .filter((id) => getCount(id) > 0)
    .toSorted((a, b) => getCount(b) - getCount(a))
    .slice(0, maxReadDocuments)
}

/** Normalized words, the longest first. Endings are cut, so that “mirrors” finds “mirror”. */
function toTerms(question: string): string[] {
  const text = normalizeSearchText(shortenQuery(question, maxQueryLength).toWellFormed())
  const words = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
    .filter((word) => word.length > 2 || /\P{ASCII}/u.test(word))
    .map((word) => (word.length > 5 ? word.slice(0, -2) : word))
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, maxTerms)
}

interface RankedPart {
  part: DocumentPart
  score: number
}

/** A rare word weighs more than a common one. */
async function chooseParts(parts: DocumentPart[], terms: readonly string[], limit: number): Promise<RankedPart[]> {
  const candidates: { part: DocumentPart; matches: string[] }[] = []
  const frequencies = new Map<string, number>()
  for (const [index, part] of parts.entries()) {
    if ((index + 1) % partsPerTick === 0) await setImmediate()
    const text = normalizeSearchText(part.text)
    const matches = terms.filter((term) => text.includes(term))
    for (const term of matches) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
    if (matches.length > 0) candidates.push({ part, matches })
  }
  const getWeight = (term: string) => Math.log(1 + parts.length / (frequencies.get(term) ?? 1))
  return candidates
    .map(({ part, matches }) => ({ part, matches, score: matches.reduce((total, term) => total + getWeight(term), 0) }))
    .sort((a, b) => b.score - a.score || a.part.position - b.part.position)
    .slice(0, limit)
    .map(({ part, matches, score }) => ({ part: { ...part, text: cutAround(part.text, matches) }, score }))
}

/** The passage with the most terms, from the beginning of a word. */
function cutAround(text: string, terms: readonly string[]): string {
  if (text.length <= maxExcerptLength) return text
  const normalized = normalizeWithPositions(text)
  const positions = terms.map((term) => normalized.starts[normalized.text.indexOf(term)] ?? 0).sort((a, b) => a - b)
  const windowLength = maxExcerptLength * 0.8
  const marginLength = maxExcerptLength * 0.1
  const countTerms = (start: number) =>
    positions.filter((position) => position >= start && position < start + windowLength).length
  const bestStart = positions.reduce(
    (best, position) => (countTerms(position) > countTerms(best) ? position : best),
    positions[0] ?? 0,
  )
  const marginStart = Math.max(0, bestStart - marginLength)
  const start = marginStart === 0 ? 0 : marginStart + (/\s/.exec(text.slice(marginStart, bestStart))?.index ?? 0)
  return truncate(text.slice(start).toWellFormed(), maxExcerptLength).trim()
}
