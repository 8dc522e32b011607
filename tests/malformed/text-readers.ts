import * as agentSlugs from '#contract/agents/agent-slug.ts'
import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { csvLine } from '#contract/csv-line.ts'
import { joinLines } from '#contract/join-lines.ts'
import { normalisedStatement, sentencesOf, sharesSubject, statementChanges } from '#contract/keepers/sole-statements.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { plainWords, withoutMarks } from '#contract/plain-words.ts'
import { trimEndOf } from '#contract/trim-end-of.ts'
import { readVerdict } from '#server/agents/golden/judge-answer.ts'
import { mockKeeperType, mockProposal } from '#server/agents/intent/mock-proposals.ts'
import { isTypedAddress } from '#server/agents/tools/typed-address.ts'
import { mockProposals } from '#server/boards/assist/mock-proposals.ts'
import { readProposals } from '#server/boards/assist/read-proposals.ts'
import { withoutLinks } from '#server/http/links-in-names.ts'
import { textOfHtml } from '#server/http/text-of-html.ts'
import { excerptOf, plainExcerptOf } from '#server/keepers/excerpt-of.ts'
import { storyAsHtml } from '#server/keepers/journeys/story-as-html.ts'
import { markdownLine, quoteMarkdown } from '#server/keepers/journeys/story-words.ts'
import { wordsAskedFor, wordsOfCard } from '#server/keepers/memory-cards/card-words.ts'
import { snippetOf } from '#server/keepers/memory-cards/snippet.ts'
import { mockDraft } from '#server/keepers/sole/mock-draft.ts'
import { type DayOneEntry, tagsOf, wordsOf } from '#server/keepers/transfer/day-one-format.ts'
import { quoteLines, toOneLine } from '#server/models/data-in-prompts.ts'
import { EventStreamParser } from '#server/models/event-stream-parser.ts'
import { toFailureKind } from '#server/models/failure-kind.ts'
import { mockModel } from '#server/models/mock-model.ts'
import { scrub } from '#server/models/scrub.ts'
import { emailProblem } from '#web/accounts/check-account.ts'
import { finishedLength, spokenText } from '#web/agents/chat/finished-sentences.ts'
import { isFormula, withoutHalfFormula } from '#web/agents/chat/formula-text.ts'
import { markdownBlocks, readTogether } from '#web/agents/chat/markdown-blocks.ts'
import { spokenPieces } from '#web/agents/chat/read-aloud.ts'
import { isTooMuchMarkup } from '#web/agents/chat/too-much-markup.ts'
import { bundleFrom, namesFrom } from '#web/agents/form/name-list.ts'
import { eventStreamReader } from '#web/api-event-stream.ts'
import { wordsOf as wordsOfFrame } from '#web/boards/export/frame-words.ts'
import { cleanPage } from '#web/boards/frames/clean-page.ts'
import { emailsIn } from '#web/domains/invitations/email-list.ts'
import { plainExcerpt } from '#web/keepers/reflections/plain-excerpt.ts'
import { excerptOf as libraryExcerptOf } from '#web/library/search-documents.ts'
import { csvRows } from '#web/library/text/csv-rows.ts'
import { tamedHtml, textOfHtml as textOfDocument } from '#web/library/text/html-tokens.ts'
import { textOfRtf } from '#web/library/text/rtf-text.ts'
import { bothTexts } from '#web/offline/differences.ts'
import { rankEntry } from '#web/shell/rank-entries.ts'
import { readThemeFile } from '#web/themes/theme-file.ts'
import { beginningOf } from '#web/ui/beginning-of.ts'
import { compareTexts } from '#web/ui/compare-texts.ts'
import { wrapLines } from '#web/ui/fit-text.ts'
import type { TextReader } from './linear-time.ts'

/** Maximum lengths of fields and files, in characters. */
const lengths = { markdown: 500_000, run: 100_000, document: 1_000_000, answer: 400_000, frame: 20_000, line: 2000 }
const htmlUnits = [
  ...[
    '<p>',
    '</p>',
    '<script>',
    '</script',
    '<title>',
    '<br/1',
    '<br',
    '<!',
    '<?',
    '<a ">" ',
    "<a '",
    '<a b=',
    '<a b =" ',
  ],
  ...['&#', '<svg', ']]>', '<![CDATA[', '-->'],
]
const markdownUnits = [
  '[a](',
  '](<',
  '](a "',
  '- a\n\n',
  '***',
  '``',
  '```',
  '    a\n',
  '~~~\n',
  '|a|\n',
  '![a]',
  '[[',
  '- [ ] ',
]

const statement = (id: string, text: string) => ({ id, text, kind: 'add' as const, replacesId: null, sources: [] })
const card = (text: string) => ({ id: 'a', text }) as unknown as Parameters<typeof mockDraft>[0][number]
const oneWidth = (text: string) => text.length * 8

async function readMockAnswer(mockAnswer: string): Promise<void> {
  const request = { provider: 'openai' as const, messages: [], mockAnswer, stream: true, signal: AbortSignal.abort() }
  for await (const _ of mockModel({ sleep: async () => undefined }, request)) break
}

/** No word or line occurs twice. */
const numbered = (length: number, separator: string) =>
  Array.from({ length: Math.ceil(length / 7) }, (_, at) => `w${String(at).padStart(5, '0')}`)
    .join(separator)
    .slice(0, length)

/** Every function that reads a text of a person, file or provider, with its maximum length. */
export const textReaders: TextReader[] = [
  { name: 'withoutMarks', maxLength: lengths.document, units: markdownUnits, read: withoutMarks },
  {
    name: 'withoutMarks, backticks of many lengths',
    maxLength: lengths.document,
    build: backticksOfManyLengths,
    read: withoutMarks,
  },
  { name: 'plainWords', maxLength: lengths.markdown, units: markdownUnits, read: plainWords },
  {
    name: 'snippetOf',
    maxLength: lengths.markdown,
    units: [...markdownUnits, 'word '],
    read: (text) => snippetOf(text, 'word'),
  },
  { name: 'excerptOf', maxLength: lengths.markdown, read: excerptOf },
  { name: 'plainExcerptOf', maxLength: lengths.markdown, units: markdownUnits, read: plainExcerptOf },
  { name: 'plainExcerpt', maxLength: lengths.markdown, read: (text) => plainExcerpt(text) },
  {
    name: 'wordsOfCard',
    maxLength: lengths.markdown,
    // Normalization expands this character to eighteen.
    units: ['\uFDFA'],
    read: (content) => wordsOfCard({ topic: null, content }),
  },
  { name: 'wordsAskedFor', maxLength: lengths.run, read: wordsAskedFor },
  {
    name: 'wordsAskedFor, all different',
    maxLength: lengths.run,
    build: (length) => numbered(length, ' '),
    read: wordsAskedFor,
  },
  { name: 'sentencesOf', maxLength: lengths.run, read: sentencesOf },
  { name: 'normalisedStatement', maxLength: lengths.line, read: normalisedStatement },
  { name: 'sharesSubject', maxLength: lengths.line, read: (text) => sharesSubject(text, `${text} more`) },
  {
    name: 'statementChanges',
    maxLength: lengths.line,
    read: (text) => statementChanges([statement('a', text)], [statement('b', text)]),
  },
  { name: 'foldedTopic', maxLength: lengths.line, read: foldedTopic },
  {
    name: 'cleanOneLine',
    maxLength: lengths.document,
    units: ['\u0301', '\u200D', '\n', '👩\u200D', 'क्\u200D', '\u{E0061}', '\u{1F3F4}\u{E0061}', 'a '],
    read: cleanOneLine,
  },
  { name: 'withoutLinks', maxLength: lengths.markdown, units: ['a.', '://', 'a.b', 'www.'], read: withoutLinks },
  { name: 'slugFrom', maxLength: lengths.line, read: agentSlugs.slugFrom },
  { name: 'csvLine', maxLength: lengths.markdown, read: (text) => csvLine([text]) },
  { name: 'joinLines', maxLength: lengths.markdown, read: (text) => joinLines(text, ' ') },
  { name: 'trimEndOf', maxLength: lengths.markdown, read: (text) => trimEndOf(text, /[\s.]/) },
  { name: 'quoteMarkdown', maxLength: lengths.markdown, read: quoteMarkdown },
  { name: 'markdownLine', maxLength: lengths.markdown, read: markdownLine },
  { name: 'storyAsHtml', maxLength: lengths.markdown, read: (text) => storyAsHtml(text, [{ kind: 'words', text }]) },
  { name: 'toOneLine', maxLength: lengths.markdown, read: toOneLine },
  { name: 'quoteLines', maxLength: lengths.markdown, read: quoteLines },
  {
    name: 'mockDraft',
    maxLength: lengths.markdown,
    units: [' *a', ' _a', '**a', '~~a'],
    read: (text) => mockDraft([card(text)], []),
  },
  { name: 'mockProposal', maxLength: lengths.run, read: mockProposal },
  { name: 'mockKeeperType', maxLength: lengths.run, read: mockKeeperType },
  { name: 'mockProposals', maxLength: lengths.run, read: (text) => mockProposals(text, []) },
  { name: 'mockModel', maxLength: lengths.run, read: readMockAnswer },
  { name: 'readVerdict', maxLength: lengths.run, units: ['PASS', 'PASS '], read: readVerdict },
  {
    name: 'readProposals',
    maxLength: lengths.answer,
    units: ['```json\n', '```\no', '\n```', '```\n\n```\n'],
    read: (text) => readProposals(text, { offered: [], frames: [], room: 10 }),
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
    name: 'eventStreamReader',
    maxLength: lengths.answer,
    units: ['data:', 'data: a\n', ':\n', '\r\n'],
    read: readPageEvents,
  },
  { name: 'textOfHtml of a page read by a tool', maxLength: lengths.document, units: htmlUnits, read: textOfHtml },
  {
    name: 'textOfHtml of a document',
    maxLength: lengths.document,
    units: htmlUnits,
    read: (text) => textOfDocument(text),
  },
  { name: 'tamedHtml', maxLength: lengths.document, units: htmlUnits, read: tamedHtml },
  { name: 'cleanPage', maxLength: lengths.document, units: htmlUnits, read: cleanPage },
  { name: 'words of a page frame', maxLength: lengths.frame, units: htmlUnits, read: readPageFrame },
  {
    name: 'textOfRtf',
    maxLength: lengths.document,
    units: ['{', '}', '\\par', "\\'", '{\\fonttbl', '\\u1 '],
    read: (text) => textOfRtf(`{\\rtf1${text}`),
  },
  { name: 'csvRows', maxLength: lengths.document, units: ['""', '"a', '\t', 'a,'], read: (text) => csvRows(text) },
  { name: 'excerpt of a document', maxLength: lengths.document, read: (text) => libraryExcerptOf(text, 'word') },
  {
    name: 'words of a Day One entry',
    maxLength: lengths.markdown,
    units: ['![](dayone-moment:', '![]('],
    read: (text) => wordsOf({ text } as DayOneEntry),
  },
  {
    name: 'tags of a Day One entry',
    maxLength: lengths.markdown,
    read: (text) => tagsOf({ tags: [text, ...text.split(' ')] }),
  },
  { name: 'readThemeFile', maxLength: lengths.document, read: readThemeFile },
  {
    name: 'markdownBlocks',
    maxLength: lengths.markdown,
    units: markdownUnits,
    read: (text) => readTogether(markdownBlocks(text)),
  },
  { name: 'isTooMuchMarkup', maxLength: lengths.markdown, units: markdownUnits, read: isTooMuchMarkup },
  { name: 'finishedLength', maxLength: lengths.markdown, units: ['."', '.)', ':'], read: finishedLength },
  { name: 'withoutHalfFormula', maxLength: lengths.markdown, units: markdownUnits, read: withoutHalfFormula },
  {
    name: 'isFormula',
    maxLength: 4000,
    units: ['\\a{', '{a', 'ab ', '1.', 'a\n'],
    read: (text) => isFormula('$', text),
  },
  { name: 'spokenText', maxLength: lengths.markdown, units: markdownUnits, read: spokenText },
  { name: 'spokenPieces', maxLength: lengths.markdown, units: markdownUnits, read: spokenPieces },
  { name: 'namesFrom', maxLength: lengths.run, read: namesFrom },
  { name: 'bundleFrom', maxLength: lengths.run, read: bundleFrom },
  { name: 'emailsIn', maxLength: lengths.run, units: ['<a', 'a<b>'], read: emailsIn },
  { name: 'emailProblem', maxLength: lengths.run, read: emailProblem },
  {
    name: 'compareTexts, all words different',
    maxLength: lengths.run,
    minLength: 16_384,
    build: (length) => numbered(length, ' '),
    read: (text) => compareTexts(text, text.replaceAll('w', 'v')),
  },
  {
    name: 'compareTexts, all lines different',
    maxLength: lengths.markdown,
    minLength: 16_384,
    build: (length) => numbered(length, '\n'),
    read: (text) => compareTexts(text, text.replaceAll('w', 'v')),
  },
  {
    name: 'compareTexts',
    maxLength: lengths.markdown,
    read: (text) => compareTexts(text, `a${text.slice(0, text.length / 2)}b`),
  },
  {
    name: 'bothTexts',
    maxLength: lengths.markdown,
    minLength: 16_384,
    build: (length) => numbered(length, '\n'),
    read: (text) => bothTexts(text, text.replaceAll('w', 'v')),
  },
  {
    name: 'rankEntry',
    maxLength: lengths.line,
    read: (text) => rankEntry({ group: 'Pages', title: text } as never, text),
  },
  {
    name: 'beginningOf',
    maxLength: lengths.markdown,
    read: (text) => beginningOf(text, { characters: 2000, lines: 40 }),
  },
  { name: 'wrapLines', maxLength: 3000, read: (text) => wrapLines(oneWidth, text, 400, 40) },
]

function backticksOfManyLengths(length: number): string {
  let text = ''
  for (let ticks = 1; text.length < length / 2; ticks++) text += `${'`'.repeat(ticks)} `
  return text + '*a '.repeat(length / 6)
}

function readEvents(text: string): void {
  const bytes = Buffer.from(text)
  const parser = new EventStreamParser(8 * lengths.answer)
  for (let at = 0; at < bytes.length; at += 100) parser.push(bytes.subarray(at, at + 100))
  parser.end()
}

function readPageEvents(text: string): void {
  const read = eventStreamReader(() => undefined)
  for (let at = 0; at < text.length; at += 100) read(text.slice(at, at + 100))
}

function readPageFrame(html: string): void {
  const content = { kind: 'page', entity: null, entityId: null, html }
  wordsOfFrame({ id: 'a', data: { frameType: 'preview', content } } as unknown as Frame, {} as BoardConfig)
}
