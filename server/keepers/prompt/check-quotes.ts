import type { RunSource } from '#contract/agents/runs.ts'
import { getFenceAfterLine } from '#contract/code-fence.ts'
import type { CheckedAnswer } from '#server/agents/keeper-memory.ts'
import { removeInvisible } from '#server/models/data-in-prompts.ts'
import type { Services } from '#server/services.ts'
import { selectQuotableDocuments, toDocumentId, toExcerptId, toParts } from './quotable-documents.ts'

const maxNumber = 999
/** More than any real answer has; each mark can be compared with a long page. */
const maxCheckedMarks = 500

export async function checkQuotes(
  services: Services,
  personId: string,
  { text, sources }: CheckedAnswer,
): Promise<CheckedAnswer> {
  const sourceByNumber = new Map(
    sources.flatMap((source) => (source.entity === 'document' ? [[source.n, source]] : [])),
  )
  const marks = findCitationMarks(text).filter(({ n }) => sourceByNumber.has(n))
  if (marks.length === 0) return { text, sources }
  const claims = marks.map((mark, index) => ({
    mark,
    source: sourceByNumber.get(mark.n) as RunSource,
    quotes: index < maxCheckedMarks ? findQuotesBefore(text, mark).map(normalizeQuote) : [],
  }))
  const citedSources = claims.filter(({ quotes }) => quotes.length > 0).map(({ source }) => source)
  const texts = await loadTexts(services, personId, citedSources)
  const citations = new CitationList(sources)
  let checkedText = ''
  let position = 0
  for (const { mark, source, quotes } of claims) {
    const quote = quotes.find((candidate) => texts.get(source.id)?.includes(candidate))
    const n = quote === undefined ? undefined : citations.add(source, quote)
    checkedText += n === undefined ? omitMark(text, position, mark) : `${text.slice(position, mark.start)}[${n}]`
    position = mark.end
  }
  checkedText += text.slice(position)
  return { text: checkedText.trim() === '' ? text : checkedText, sources: citations.sources }
}

const normalizeQuote = (text: string) => removeInvisible(text).normalize('NFC').replace(/\s+/gu, ' ').trim()

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
    const row = await selectQuotableDocuments(services, personId)
      .select(['sources.messages', 'sources.source_kind'])
      .where('sources.id', '=', documentId)
      .executeTakeFirst()
    for (const part of row ? toParts(row) : []) {
      const id = toExcerptId(documentId, part.id)
      if (requested.has(id)) texts.set(id, normalizeQuote(part.text))
    }
  }
  return texts
}

/** Gives every quote a separate number, so that its footnote opens the document at these words. */
class CitationList {
  readonly sources: RunSource[]

  constructor(sources: readonly RunSource[]) {
    this.sources = [...sources]
  }

  add(source: RunSource, quote: string): number | undefined {
    const existing = this.sources.find(
      (candidate) => candidate.id === source.id && candidate.entity === 'document' && candidate.quote === quote,
    )
    if (existing) return existing.n
    const citedSource = { ...source, quote, href: `${source.href}&words=${encodeURIComponent(quote.toWellFormed())}` }
    const index = this.sources.findIndex(({ n, quote: otherQuote }) => n === source.n && otherQuote === undefined)
    if (index >= 0) {
      this.sources[index] = citedSource
      return source.n
    }
    if (this.sources.length >= maxNumber) return undefined
    const n = this.sources.length + 1
    this.sources.push({ ...citedSource, n })
    return n
  }
}

/** Omits a mark: the text before it, without the space that separated them. */
function omitMark(text: string, from: number, { start, end }: CitationMark): string {
  const precedingText = text.slice(from, start)
  return /[\p{L}\p{N}]/u.test(text[end] ?? '') ? precedingText : precedingText.replace(/[ \t]{1,8}$/, '')
}

interface CitationMark {
  n: number
  start: number
  end: number
}

/** Marks such as `[1]`, as the page shows them: not in code, and not the label of a link. */
export function findCitationMarks(text: string): CitationMark[] {
  const marks: CitationMark[] = []
  let fence: string | undefined
  let position = 0
  for (const line of text.split('\n')) {
    const wasInCode = fence !== undefined
    fence = getFenceAfterLine(line, fence)
    if (!wasInCode && fence === undefined)
      for (const match of line.matchAll(/`[^`]*`|\[(\d{1,3})\](?!\()/g)) {
        const isDefinition = line[match.index + match[0].length] === ':' && line.slice(0, match.index).trim() === ''
        if (match[1] === undefined || isDefinition) continue
        const start = position + match.index
        marks.push({ n: Number(match[1]), start, end: start + match[0].length })
      }
    position += line.length + 1
  }
  return marks
}

const maxQuoteLength = 600
const maxGap = 60
/** Maps each closing quotation mark to its opening ones. */
const quotationMarks: Record<string, string> = {
  '”': '“„',
  '“': '„',
  '»': '«',
  '«': '»',
  '’': '‘',
  '›': '‹',
  '‹': '›',
  '」': '「',
  '』': '『',
}
const symmetricMarks = ['"', '”', '»', "'"]

/** Finds words in quotation marks, or a quoted block, right before a citation mark. Returns them without Markdown. */
export function findQuotesBefore(text: string, mark: CitationMark): string[] {
  const end = findQuoteEnd(text, mark.start)
  const quotes = [...findInQuotationMarks(text, end), ...findBlockQuote(text, mark.start)]
  return quotes.flatMap((quote) => {
    const unmarked = quote.replace(/\n[ \t]*>[ \t]?/g, '\n')
    const bare = unmarked.replace(/^[*_]{1,3}|[*_]{1,3}$/g, '')
    return [unmarked, bare].filter((candidate) => candidate.length <= maxQuoteLength && /[\p{L}\p{N}]/u.test(candidate))
  })
}

/** The end of the quote before `start`: skips white space, emphasis, punctuation and other citation marks. */
function findQuoteEnd(text: string, start: number): number {
  let end = start
  while (end > 0 && start - end < maxGap) {
    const citation = /\[\d{1,3}\]$/.exec(text.slice(Math.max(0, end - 5), end))
    if (citation) end -= citation[0].length
    else if (/[\s*_.,;:!?…)]/.test(text[end - 1] ?? '')) end -= 1
    else break
  }
  return end
}

/** Length of the text without white space and citation marks at its end. */
function measureWithoutMarks(text: string): number {
  let end = text.trimEnd().length
  for (;;) {
    const mark = /\[\d{1,3}\]$/.exec(text.slice(Math.max(0, end - 5), end))
    if (!mark) return end
    end = text.slice(0, end - mark[0].length).trimEnd().length
  }
}

function findInQuotationMarks(text: string, end: number): string[] {
  const closing = text[end - 1] ?? ''
  const from = Math.max(0, end - 2 * maxQuoteLength)
  const openings = quotationMarks[closing]
  let depth = 0
  if (openings)
    for (let index = end - 2; index >= from; index -= 1) {
      const character = text[index] ?? ''
      if (openings.includes(character) && depth === 0) return [text.slice(index + 1, end - 1)]
      if (openings.includes(character)) depth -= 1
      else if (character === closing) depth += 1
    }
  return symmetricMarks.includes(closing) ? findSymmetric(text, { closing, from, end }) : []
}

/** Quotes between two equal marks, the shortest first. Quotes nested inside must be closed. */
function findSymmetric(text: string, { closing, from, end }: { closing: string; from: number; end: number }): string[] {
  const quotes: string[] = []
  let innerMarkCount = 0
  for (let index = end - 2; index >= from; index -= 1) {
    if (text[index] !== closing) continue
    const isOpening = !/[\p{Lu}\p{Ll}\p{N}]/u.test(text[index - 1] ?? '') && /\S/.test(text[index + 1] ?? '')
    if (isOpening && innerMarkCount % 2 === 0) quotes.push(text.slice(index + 1, end - 1))
    innerMarkCount += 1
  }
  return quotes
}

/** The `>` lines that end at the mark or on the line above it. */
function findBlockQuote(text: string, markStart: number): string[] {
  const precedingText = text.slice(Math.max(0, markStart - 4 * maxQuoteLength), markStart)
  const lines = precedingText.split('\n')
  const currentLine = lines.at(-1) ?? ''
  const isOwnBlock = /^[ \t]*>/.test(currentLine)
  if (!isOwnBlock && !/^[\s*_—–-]*(?:\[\d{1,3}\]\s*)*$/.test(currentLine)) return []
  if (!isOwnBlock) lines.pop()
  while (!isOwnBlock && lines.at(-1)?.trim() === '') lines.pop()
  const blockLines: string[] = []
  for (let line = lines.pop(); line !== undefined && /^[ \t]*>/.test(line); line = lines.pop())
    blockLines.unshift(line.replace(/^[ \t]*>[ \t]?/, ''))
  const toQuote = (quoteLines: string[]) => {
    const quoteText = quoteLines.join('\n')
    return quoteText
      .slice(0, measureWithoutMarks(quoteText))
      .trim()
      .replace(/^["“„«»]([\s\S]*)["”“»«]$/, '$1')
  }
  const hasAttribution = blockLines.length > 1 && /^\s*[—–-]/.test(blockLines.at(-1) ?? '')
  const quotes = hasAttribution ? [toQuote(blockLines), toQuote(blockLines.slice(0, -1))] : [toQuote(blockLines)]
  return quotes.filter((quote) => quote !== '')
}
