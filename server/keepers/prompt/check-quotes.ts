import type { RunSource } from '#contract/agents/runs.ts'
import type { CheckedAnswer } from '#server/agents/keeper-memory.ts'
import { removeInvisible } from '#server/models/data-in-prompts.ts'
import type { Services } from '#server/services.ts'
import { type CitationMark, findMarks, findQuotesBefore } from './cited-quotes.ts'
import { selectQuotable, toDocumentId, toExcerptId, toParts } from './quotable-documents.ts'

const maxNumber = 999
/** More than any real answer has; each mark can be compared with a long page. */
const maxCheckedMarks = 500

export async function checkQuotes(
  services: Services,
  personId: string,
  { text, sources }: CheckedAnswer,
): Promise<CheckedAnswer> {
  const byNumber = new Map(sources.flatMap((source) => (source.entity === 'document' ? [[source.n, source]] : [])))
  const marks = findMarks(text).filter(({ n }) => byNumber.has(n))
  if (marks.length === 0) return { text, sources }
  const claims = marks.map((mark, index) => ({
    mark,
    source: byNumber.get(mark.n) as RunSource,
    quotes: index < maxCheckedMarks ? findQuotesBefore(text, mark).map(normalize) : [],
  }))
  const cited = claims.filter(({ quotes }) => quotes.length > 0).map(({ source }) => source)
  const texts = await loadTexts(services, personId, cited)
  const citations = new CitationList(sources)
  let checked = ''
  let position = 0
  for (const { mark, source, quotes } of claims) {
    const quote = quotes.find((words) => texts.get(source.id)?.includes(words))
    const n = quote === undefined ? undefined : citations.add(source, quote)
    checked += n === undefined ? trimBefore(text, position, mark) : `${text.slice(position, mark.start)}[${n}]`
    position = mark.end
  }
  checked += text.slice(position)
  return { text: checked.trim() === '' ? text : checked, sources: citations.sources }
}

const normalize = (text: string) => removeInvisible(text).normalize('NFC').replace(/\s+/gu, ' ').trim()

/** The normalized parts of documents that can still be quoted, by the ids of sources. */
async function loadTexts(
  services: Services,
  personId: string,
  sources: readonly RunSource[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const requested = new Set(sources.map(({ id }) => id))
  // One by one: a document can have megabytes.
  for (const documentId of new Set(sources.map(toDocumentId))) {
    const row = await selectQuotable(services, personId)
      .select(['sources.messages', 'sources.source_kind'])
      .where('sources.id', '=', documentId)
      .executeTakeFirst()
    for (const part of row ? toParts(row) : []) {
      const id = toExcerptId(documentId, part.id)
      if (requested.has(id)) texts.set(id, normalize(part.text))
    }
  }
  return texts
}

/** Gives every quote a number of its own, so that its footnote opens the document at these words. */
class CitationList {
  readonly sources: RunSource[]

  constructor(sources: readonly RunSource[]) {
    this.sources = [...sources]
  }

  add(source: RunSource, quote: string): number | undefined {
    const existing = this.sources.find(
      (one) => one.id === source.id && one.entity === 'document' && one.quote === quote,
    )
    if (existing) return existing.n
    const cited = { ...source, quote, href: `${source.href}&words=${encodeURIComponent(quote.toWellFormed())}` }
    const index = this.sources.findIndex(({ n, quote: other }) => n === source.n && other === undefined)
    if (index >= 0) this.sources[index] = cited
    else if (this.sources.length < maxNumber) this.sources.push({ ...cited, n: this.sources.length + 1 })
    else return undefined
    return index >= 0 ? source.n : this.sources.length
  }
}

/** The text before a mark that is left out, without the space that separated it. */
function trimBefore(text: string, from: number, { start, end }: CitationMark): string {
  const before = text.slice(from, start)
  return /[\p{L}\p{N}]/u.test(text[end] ?? '') ? before : before.replace(/[ \t]{1,8}$/, '')
}
