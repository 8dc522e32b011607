import * as agentSlugs from '#contract/agents/agent-slug.ts'
import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { formatCsvLine } from '#contract/csv-line.ts'
import { htmlToText } from '#contract/html-text.ts'
import { diffStatements, normalizeStatement, sharesSubject, splitSentences } from '#contract/keepers/sole-statements.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { joinLines, trimEndMatching } from '#contract/linear-text.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { stripMarkdown, toPlainText } from '#contract/plain-text.ts'
import { normalizeSearchText } from '#contract/search/normalize-search-text.ts'
import { createSearchExcerpt } from '#contract/search/search-excerpt.ts'
import { parseSearchQuery } from '#contract/search/search-query.ts'
import { isTooMuchMarkup } from '#contract/too-much-markup.ts'
import { parseVerdict } from '#server/agents/golden/answer-golden-question.ts'
import { createMockKeeperType, createMockProposal } from '#server/agents/intent/mock-proposals.ts'
import { isTypedAddress } from '#server/agents/tools/available-tools.ts'
import { buildMockProposals } from '#server/boards/assist/propose-frames.ts'
import { readProposals } from '#server/boards/assist/read-proposals.ts'
import { defangLinks } from '#server/http/links-in-names.ts'
import { splitMarkdown } from '#server/keepers/book/markdown-to-xhtml.ts'
import { createExcerpt, createPlainExcerpt } from '#server/keepers/excerpt.ts'
import { quoteMarkdown, renderStoryHtml, toMarkdownLine } from '#server/keepers/journeys/story.ts'
import { getCardWords, getQueryWords } from '#server/keepers/memory-cards/card-words.ts'
import { createSnippet } from '#server/keepers/memory-cards/search-cards.ts'
import { findCitationMarks, findQuotesBefore } from '#server/keepers/prompt/check-quotes.ts'
import { createMockDraft } from '#server/keepers/sole/request-draft.ts'
import { quoteLines, toOneLine } from '#server/models/data-in-prompts.ts'
import { toFailureKind } from '#server/models/failure-kind.ts'
import { runMockModel } from '#server/models/mock-model.ts'
import { EventStreamParser } from '#server/models/read-answer.ts'
import { scrub } from '#server/models/scrub.ts'
import { getGrams } from '#server/search-index/grams.ts'
import { getEmailProblem } from '#web/accounts/check-account.ts'
import { tokenizeHtml } from '#web/agents/chat/convert-html.ts'
import { isFormula, removePartialFormula } from '#web/agents/chat/formula-text.ts'
import { isSafeAddress } from '#web/agents/chat/link-address.ts'
import { mergeShortBlocks, splitFrontMatter, splitMarkdownBlocks } from '#web/agents/chat/markdown-blocks.ts'
import { getFinishedSentencesLength, splitForSpeech, toSpokenText } from '#web/agents/chat/read-aloud.ts'
import { markdownRules } from '#web/agents/chat/text-author.ts'
import { parseBundle, parseNames } from '#web/agents/form/name-list.ts'
import { createEventStreamReader } from '#web/api/api.ts'
import { toFrameBlocks } from '#web/boards/export/frame-details.ts'
import { parseEmails } from '#web/domains/invitations/email-list.ts'
import { toPlainExcerpt } from '#web/keepers/reflections/plain-excerpt.ts'
import { decodeText } from '#web/library/text/decode-text.ts'
import { parseCsv } from '#web/library/text/parse-csv.ts'
import { rtfToText } from '#web/library/text/rtf-text.ts'
import { splitText } from '#web/library/text/split-text.ts'
import { rankEntry } from '#web/shell/rank-entries.ts'
import { readThemeFile } from '#web/themes/theme-file.ts'
import { cleanPage } from '#web/ui/text/clean-page.ts'
import { combineTexts, compareTexts } from '#web/ui/text/compare-texts.ts'
import { wrapLines } from '#web/ui/text/fit-text.ts'
import { truncateText } from '#web/ui/text/truncate-text.ts'
import { importerTextReaders } from './importer-text-readers.ts'
import type { TextReader } from './linear-time.ts'
import { createNumberedWords, htmlUnits, lengths, markdownUnits } from './text-units.ts'

const createStatement = (id: string, text: string) => ({
  id,
  text,
  kind: 'add' as const,
  replacesId: null,
  sources: [],
})
const createCard = (text: string) => ({ id: 'a', text }) as unknown as Parameters<typeof createMockDraft>[0][number]
const measureWidth = (text: string) => text.length * 8

async function readMockAnswer(mockAnswer: string): Promise<void> {
  const request = { provider: 'openai' as const, messages: [], mockAnswer, stream: true, signal: AbortSignal.abort() }
  for await (const _ of runMockModel({ sleep: async () => undefined }, request)) break
}

/** Every function that reads a text of a person, file or provider, with its maximum length. */
export const textReaders: TextReader[] = [
  { name: 'stripMarkdown', maxLength: lengths.document, units: markdownUnits, read: stripMarkdown },
  {
    name: 'stripMarkdown, backticks of many lengths',
    maxLength: lengths.document,
    build: createBacktickRuns,
    read: stripMarkdown,
  },
  { name: 'toPlainText', maxLength: lengths.markdown, units: markdownUnits, read: toPlainText },
  {
    name: 'createSnippet',
    maxLength: lengths.markdown,
    units: [...markdownUnits, 'word '],
    read: (text) => createSnippet(text, 'word'),
  },
  { name: 'splitMarkdown', maxLength: lengths.document, units: [...markdownUnits, '[a]: b\n'], read: splitMarkdown },
  { name: 'createExcerpt', maxLength: lengths.markdown, read: createExcerpt },
  { name: 'createPlainExcerpt', maxLength: lengths.markdown, units: markdownUnits, read: createPlainExcerpt },
  { name: 'toPlainExcerpt', maxLength: lengths.markdown, read: (text) => toPlainExcerpt(text) },
  {
    name: 'getCardWords',
    maxLength: lengths.markdown,
    // Normalization expands this character to eighteen.
    units: ['\uFDFA'],
    read: (content) => getCardWords({ topic: null, content }),
  },
  { name: 'getQueryWords', maxLength: lengths.run, read: getQueryWords },
  {
    name: 'getQueryWords, all different',
    maxLength: lengths.run,
    build: (length) => createNumberedWords(length, ' '),
    read: getQueryWords,
  },
  { name: 'splitSentences', maxLength: lengths.run, read: splitSentences },
  { name: 'normalizeStatement', maxLength: lengths.line, read: normalizeStatement },
  { name: 'sharesSubject', maxLength: lengths.line, read: (text) => sharesSubject(text, `${text} more`) },
  {
    name: 'diffStatements',
    maxLength: lengths.line,
    read: (text) => diffStatements([createStatement('a', text)], [createStatement('b', text)]),
  },
  { name: 'normalizeTopicName', maxLength: lengths.line, read: normalizeTopicName },
  {
    name: 'cleanOneLine',
    maxLength: lengths.document,
    units: ['\u0301', '\u200D', '\n', '👩\u200D', 'क्\u200D', '\u{E0061}', '\u{1F3F4}\u{E0061}', 'a '],
    read: cleanOneLine,
  },
  { name: 'defangLinks', maxLength: lengths.markdown, units: ['a.', '://', 'a.b', 'www.'], read: defangLinks },
  { name: 'toSlug', maxLength: lengths.line, read: agentSlugs.toSlug },
  { name: 'formatCsvLine', maxLength: lengths.markdown, read: (text) => formatCsvLine([text]) },
  { name: 'joinLines', maxLength: lengths.markdown, read: (text) => joinLines(text, ' ') },
  { name: 'trimEndMatching', maxLength: lengths.markdown, read: (text) => trimEndMatching(text, /[\s.]/) },
  { name: 'quoteMarkdown', maxLength: lengths.markdown, read: quoteMarkdown },
  { name: 'toMarkdownLine', maxLength: lengths.markdown, read: toMarkdownLine },
  {
    name: 'renderStoryHtml',
    maxLength: lengths.markdown,
    read: (text) => renderStoryHtml(text, [{ kind: 'line', text }]),
  },
  { name: 'toOneLine', maxLength: lengths.markdown, read: toOneLine },
  {
    name: 'findQuotesBefore',
    maxLength: lengths.frame,
    units: ['[1]', '"', '“a” [1] ', '> ', '`', '”', '" [1]', '\n> [1]', '\n>'],
    read: (text) => {
      for (const mark of findCitationMarks(text).slice(-50)) findQuotesBefore(text, mark)
    },
  },
  { name: 'splitText', maxLength: lengths.run, units: ['a. ', '# a\n'], read: (text) => splitText(text, 'text') },
  { name: 'quoteLines', maxLength: lengths.markdown, read: quoteLines },
  {
    name: 'createMockDraft',
    maxLength: lengths.markdown,
    units: [' *a', ' _a', '**a', '~~a'],
    read: (text) => createMockDraft([createCard(text)], []),
  },
  { name: 'createMockProposal', maxLength: lengths.run, read: createMockProposal },
  { name: 'createMockKeeperType', maxLength: lengths.run, read: createMockKeeperType },
  { name: 'buildMockProposals', maxLength: lengths.run, read: (text) => buildMockProposals(text, []) },
  { name: 'readMockAnswer', maxLength: lengths.run, read: readMockAnswer },
  { name: 'parseVerdict', maxLength: lengths.run, units: ['PASS', 'PASS '], read: parseVerdict },
  {
    name: 'readProposals',
    maxLength: lengths.answer,
    units: ['```json\n', '```\no', '\n```', '```\n\n```\n'],
    read: (text) => readProposals(text, { offeredTypes: [], frames: [], freeFrameCount: 10 }),
  },
  {
    name: 'isTypedAddress',
    maxLength: lengths.run,
    units: ['http://a ', '(http://a'],
    read: (text) => isTypedAddress('http://a', text),
  },
  {
    name: 'scrub',
    maxLength: lengths.answer,
    units: ['Bearer ', 'sk-a', 'secret', 'org-', 'a-'],
    read: (text) => scrub(text, { keys: ['secret-key-of-ada'], privateTexts: [text] }),
  },
  {
    name: 'toFailureKind',
    maxLength: lengths.answer,
    units: ['model ', 'invalid ', 'too many '],
    read: (message) => toFailureKind(400, { message, codes: [], param: '' }),
  },
  {
    name: 'EventStreamParser',
    maxLength: lengths.answer,
    units: ['data:', 'data: a\n', ':\n', '\r\n'],
    read: readEvents,
  },
  {
    name: 'readPageEvents',
    maxLength: lengths.answer,
    units: ['data:', 'data: a\n', ':\n', '\r\n'],
    read: readPageEvents,
  },
  { name: 'htmlToText', maxLength: lengths.document, units: htmlUnits, read: (text) => htmlToText(text) },
  { name: 'cleanPage', maxLength: lengths.document, units: htmlUnits, read: cleanPage },
  { name: 'text of a page frame', maxLength: lengths.frame, units: htmlUnits, read: readPageFrame },
  {
    name: 'rtfToText',
    maxLength: lengths.document,
    units: ['{', '}', '\\par', "\\'", '{\\fonttbl', '\\u1 '],
    read: (text) => rtfToText(new TextEncoder().encode(`{\\rtf1${text}`)),
  },
  {
    name: 'encoding of a document',
    maxLength: lengths.document,
    units: ['<meta charset=', '<meta a="', '<?xml ', "encoding='", '<!--', '\u001b$B'],
    read: (text) => decodeText(new TextEncoder().encode(`<?xml ${text}`), 'html'),
  },
  { name: 'parseCsv', maxLength: lengths.document, units: ['""', '"a', '\t', 'a,'], read: (text) => parseCsv(text) },
  {
    name: 'createSearchExcerpt',
    maxLength: lengths.document,
    units: ['\uFDFA', '\u0301', '👩\u200D', '\u00AD', 'word '],
    read: (text) => createSearchExcerpt(text, ['word', 'x']),
  },
  {
    name: 'normalizeSearchText',
    maxLength: lengths.document,
    units: ['\uFDFA', '\u0301', '\u3099', '\u200D', ' \n'],
    read: normalizeSearchText,
  },
  { name: 'parseSearchQuery', maxLength: lengths.document, units: ['-', '"', '-"a', "'", '“'], read: parseSearchQuery },
  { name: 'getGrams', maxLength: lengths.markdown, units: ['海', '🙂', '%'], read: (text) => getGrams(text) },
  ...importerTextReaders,
  { name: 'readThemeFile', maxLength: lengths.document, read: readThemeFile },
  {
    name: 'splitMarkdownBlocks',
    maxLength: lengths.markdown,
    units: markdownUnits,
    read: (text) => mergeShortBlocks(splitMarkdownBlocks(text)),
  },
  {
    name: 'splitFrontMatter',
    maxLength: lengths.document,
    units: ['---\n', '# \n', 'a: \n', '...\n', '\n \t'],
    read: (text) => splitFrontMatter(`---\n${text}`),
  },
  {
    name: 'tokenizeHtml',
    maxLength: lengths.document,
    units: ['<!--', '<a b="', "<a b='", '<a b ', '<a b=c ', '<', '&#', '-->', '<b>'],
    read: tokenizeHtml,
  },
  {
    name: 'isSafeAddress',
    maxLength: lengths.line,
    units: ['/keeper/a/b?', 'a=b&', '#'],
    read: (text) => isSafeAddress(text, markdownRules.person),
  },
  { name: 'isTooMuchMarkup', maxLength: lengths.markdown, units: markdownUnits, read: isTooMuchMarkup },
  {
    name: 'getFinishedSentencesLength',
    maxLength: lengths.markdown,
    units: ['."', '.)', ':'],
    read: getFinishedSentencesLength,
  },
  { name: 'removePartialFormula', maxLength: lengths.markdown, units: markdownUnits, read: removePartialFormula },
  {
    name: 'isFormula',
    maxLength: 4000,
    units: ['\\a{', '{a', 'ab ', '1.', 'a\n'],
    read: (text) => isFormula('$', text),
  },
  { name: 'toSpokenText', maxLength: lengths.markdown, units: markdownUnits, read: toSpokenText },
  { name: 'splitForSpeech', maxLength: lengths.markdown, units: markdownUnits, read: splitForSpeech },
  { name: 'parseNames', maxLength: lengths.run, read: parseNames },
  { name: 'parseBundle', maxLength: lengths.run, read: parseBundle },
  { name: 'parseEmails', maxLength: lengths.run, units: ['<a', 'a<b>'], read: parseEmails },
  { name: 'getEmailProblem', maxLength: lengths.run, read: getEmailProblem },
  {
    name: 'compareTexts, all words different',
    maxLength: lengths.run,
    minLength: 16_384,
    build: (length) => createNumberedWords(length, ' '),
    read: (text) => compareTexts(text, text.replaceAll('w', 'v')),
  },
  {
    name: 'compareTexts, all lines different',
    maxLength: lengths.markdown,
    minLength: 16_384,
    build: (length) => createNumberedWords(length, '\n'),
    read: (text) => compareTexts(text, text.replaceAll('w', 'v')),
  },
  {
    name: 'compareTexts',
    maxLength: lengths.markdown,
    read: (text) => compareTexts(text, `a${text.slice(0, text.length / 2)}b`),
  },
  {
    name: 'combineTexts',
    maxLength: lengths.markdown,
    minLength: 16_384,
    build: (length) => createNumberedWords(length, '\n'),
    read: (text) => combineTexts(text, text.replaceAll('w', 'v')),
  },
  {
    name: 'rankEntry',
    maxLength: lengths.line,
    read: (text) => rankEntry({ group: 'Pages', title: text } as never, text),
  },
  {
    name: 'truncateText',
    maxLength: lengths.markdown,
    read: (text) => truncateText(text, { characters: 2000, lines: 40 }),
  },
  { name: 'wrapLines', maxLength: 3000, read: (text) => wrapLines(measureWidth, text, 400, 40) },
]

function createBacktickRuns(length: number): string {
  let text = ''
  for (let ticks = 1; text.length < length / 2; ticks++) text += `${'`'.repeat(ticks)} `
  return text + '*a '.repeat(length / 6)
}

function readEvents(text: string): void {
  const bytes = Buffer.from(text)
  const parser = new EventStreamParser(8 * lengths.answer)
  for (let index = 0; index < bytes.length; index += 100) parser.push(bytes.subarray(index, index + 100))
  parser.end()
}

function readPageEvents(text: string): void {
  const read = createEventStreamReader(() => undefined)
  for (let index = 0; index < text.length; index += 100) read(text.slice(index, index + 100))
}

function readPageFrame(html: string): void {
  const content = { kind: 'page', entity: null, entityId: null, html }
  toFrameBlocks({ id: 'a', data: { frameType: 'preview', content } } as unknown as Frame, {} as BoardConfig)
}
