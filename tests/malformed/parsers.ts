import * as agentSlugs from '#contract/agents/agent-slug.ts'
import { agentFileToImport } from '#contract/agents/versions.ts'
import { boardImport } from '#contract/boards/board-files.ts'
import { frameTypeNames } from '#contract/boards/frame-types.ts'
import { formatCsvLine } from '#contract/csv-line.ts'
import { getDomainSlugProblem } from '#contract/domains/domain-slug.ts'
import { htmlToText } from '#contract/html-text.ts'
import { sharesSubject, splitSentences } from '#contract/keepers/sole-statements.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { stripMarkdown } from '#contract/plain-text.ts'
import { createSearchExcerpt } from '#contract/search/search-excerpt.ts'
import { parseSearchQuery } from '#contract/search/search-query.ts'
import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { themes } from '#contract/themes/themes.ts'
import { parseDevice } from '#server/accounts/sessions.ts'
import { readProposals } from '#server/boards/assist/read-proposals.ts'
import { readHostName } from '#server/domains/custom/host-name.ts'
import { Problem } from '#server/http/problem.ts'
import { readJsonBody } from '#server/http/request-body.ts'
import { getQueryWords } from '#server/keepers/memory-cards/card-words.ts'
import { createSnippet } from '#server/keepers/memory-cards/search-cards.ts'
import { archivedKeeper } from '#server/keepers/transfer/archive-format.ts'
import { ImportNotes } from '#server/keepers/transfer/import-notes.ts'
import * as chatGpt from '#server/keepers/transfer/importers/chatgpt.ts'
import * as claude from '#server/keepers/transfer/importers/claude.ts'
import { cleanDayOneText, readEntry } from '#server/keepers/transfer/importers/day-one.ts'
import { readRichText } from '#server/keepers/transfer/importers/day-one-rich-text.ts'
import { readEntry as readDaylioEntry, readRow as readDaylioRow } from '#server/keepers/transfer/importers/daylio.ts'
import { readDiariumEntry, readMiniEntry } from '#server/keepers/transfer/importers/diarium.ts'
import { toList, toObject } from '#server/keepers/transfer/importers/foreign-values.ts'
import { htmlToMarkdown } from '#server/keepers/transfer/importers/html-to-markdown.ts'
import { readEntry as readJournivEntry, readQuillDelta } from '#server/keepers/transfer/importers/journiv.ts'
import { readWrittenDay } from '#server/keepers/transfer/importers/text-dates.ts'
import { readBySchema } from '#server/keepers/transfer/read-by-schema.ts'
import { toSourcePart } from '#server/keepers/transfer/to-source-part.ts'
import { measureMp3Seconds } from '#server/media/store-recording.ts'
import { EventStreamParser } from '#server/models/read-answer.ts'
import { getQueryGrams, toTokenQuery } from '#server/search-index/grams.ts'
import { splitMarkdownBlocks } from '#web/agents/chat/markdown-blocks.ts'
import { createEventStreamReader } from '#web/api/api.ts'
import { parseCsv } from '#web/library/text/parse-csv.ts'
import { readThemeFile } from '#web/themes/theme-file.ts'
import type { FuzzedParser } from './fuzz-parser.ts'
import {
  agentFile,
  boardFile,
  chatConversation,
  dayOne,
  entriesOfOtherApps,
  eventFragments,
  htmlFragments,
  jsonFragments,
  keeperArchive,
  markdownFragments,
  slugFragments,
  themeText,
} from './parser-inputs.ts'

const isRefusal = (thrown: unknown) => thrown instanceof Problem && thrown.status < 500
const assertThat = (condition: boolean, message: string) => {
  if (!condition) throw new Error(message)
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Event boundaries must not depend on where chunks end. */
function checkPageStream(text: string): void {
  const singleChunkEvents: string[] = []
  createEventStreamReader((event, data) => singleChunkEvents.push(event, data))(text)
  const manyChunkEvents: string[] = []
  const read = createEventStreamReader((event, data) => manyChunkEvents.push(event, data))
  const step = 1 + (text.length % 7)
  for (let index = 0; index < text.length; index += step) read(text.slice(index, index + step))
  assertThat(JSON.stringify(singleChunkEvents) === JSON.stringify(manyChunkEvents), 'events depend on where chunks end')
}

function checkProviderStream(text: string): void {
  const bytes = Buffer.from(text)
  const parseInSteps = (step: number) => {
    const parser = new EventStreamParser(4096)
    const events = []
    for (let index = 0; index < bytes.length; index += step)
      events.push(...parser.push(bytes.subarray(index, index + step)))
    return JSON.stringify([...events, ...parser.end()])
  }
  assertThat(
    parseInSteps(bytes.length + 1) === parseInSteps(1 + (text.length % 5)),
    'an event depends on where its chunks end',
  )
}

/** Whether removing letters from `whole` can produce `remaining`. */
function isSubsequence(remaining: string, whole: string): boolean {
  let matchedLength = 0
  for (let index = 0; index < whole.length && matchedLength < remaining.length; index++)
    if (whole[index] === remaining[matchedLength]) matchedLength += 1
  return matchedLength === remaining.length
}

const keeperServer = { publicUrl: 'https://keeper.example', host: '0.0.0.0', customDomains: {} } as Parameters<
  typeof readHostName
>[1]
export const parsers: FuzzedParser[] = [
  {
    name: 'markdown cut into blocks',
    fragments: markdownFragments,
    parse: (text) => assertThat(splitMarkdownBlocks(text).join('\n').length === text.length, 'a letter is lost'),
  },
  {
    name: 'plain text of markdown',
    fragments: markdownFragments,
    parse(text) {
      const plain = stripMarkdown(text)
      assertThat(isSubsequence(plain.text, text), 'a letter was added or moved')
      assertThat(
        plain.seams.every((seam, index) => seam >= (plain.seams[index - 1] ?? 0) && seam <= plain.text.length),
        'odd seams',
      )
    },
  },
  { name: 'event stream of the page', fragments: eventFragments, parse: checkPageStream },
  {
    name: 'event stream of a provider',
    fragments: eventFragments,
    parse: checkProviderStream,
    mayThrow: (thrown) =>
      thrown instanceof RangeError || (thrown instanceof TypeError && /byte order mark/.test(thrown.message)),
  },
  {
    name: 'slug of an agent',
    fragments: slugFragments,
    parse(text) {
      agentSlugs.getSlugProblem(text)
      const slug = agentSlugs.toSlug(text)
      assertThat(slug === '' || /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug), `created the slug ${slug}`)
    },
  },
  {
    name: 'slug of a domain',
    fragments: slugFragments,
    parse: (text) =>
      getDomainSlugProblem(text) === undefined && assertThat(/^[a-z0-9-]{1,100}$/.test(text), `accepted ${text}`),
  },
  {
    name: 'name of a custom host',
    fragments: [
      'https://',
      'a',
      '.',
      'example',
      '.com',
      '。',
      'xn--',
      '@',
      ':80',
      '/',
      '\\',
      '?',
      '#',
      '[::1]',
      '127.0.0.1',
      '0x7f',
      'а',
      'ü',
      '-',
      '%',
      'co.uk',
    ],
    parse: (text) => assertThat(/^[a-z0-9.-]+$/.test(readHostName(text, keeperServer)), 'accepted an invalid name'),
    mayThrow: (thrown) => isRefusal(thrown) && 'customDomain' in ((thrown as Problem).details.fields ?? {}),
  },
  {
    name: 'rows of CSV',
    fragments: ['"', '""', ',', ';', '\t', '\n', '\r\n', '\r', 'a', '1', ' ', '=', '\ufeff'],
    parse(text) {
      parseCsv(text)
      const line = formatCsvLine(['first', text.replace(/^[=+\-@\t\r]/, ''), 'last'])
      const [row] = parseCsv(line)
      assertThat(row?.length === 3, 'one CSV value is read as several')
    },
  },
  {
    name: 'tag',
    fragments: ['#', 'a', ' ', ',', 'Ü', 'İ'],
    parse: (text) =>
      assertThat(normalizeTopicName(normalizeTopicName(text)) === normalizeTopicName(text), 'a second pass changes it'),
  },
  {
    name: 'file of a theme',
    fragments: [...jsonFragments, '#fff', 'light', 'dark'],
    samples: [themeText],
    parse: readThemeFile,
  },
  {
    name: 'theme in a request',
    fragments: [...jsonFragments, '#fff'],
    samples: [themeText],
    parse: (text) => themes.create.body?.safeParse(parseJsonOrText(text)),
  },
  {
    name: 'color',
    fragments: ['#', 'f', '0', 'rgb(', 'rgba(', 'hsl(', ')', ',', '1', '%', ' ', 'red', 'url(', 'var(', ';', '}', '/*'],
    parse: (text) => assertThat(/^#[0-9a-f]{6}$/i.test(normalizeColor(text) ?? '#000000'), 'returned an invalid color'),
  },
  {
    name: 'file of an agent',
    fragments: jsonFragments,
    samples: [agentFile],
    parse: (text) => agentFileToImport.safeParse(parseJsonOrText(text)),
  },
  {
    name: 'file of a board',
    fragments: jsonFragments,
    samples: [boardFile],
    parse: (text) => boardImport.safeParse(parseJsonOrText(text)),
  },
  {
    name: 'archive of keepers',
    fragments: jsonFragments,
    samples: [keeperArchive],
    parse(text) {
      const { keepers } = (parseJsonOrText(text) ?? {}) as { keepers?: unknown }
      const onLoss = () => undefined
      for (const keeper of toList(keepers)) readBySchema(archivedKeeper, keeper, { onLoss })
    },
  },
  {
    name: 'journal of Day One',
    fragments: [...jsonFragments, '![](dayone-moment:', '![', ']('],
    samples: [dayOne],
    parse(text) {
      const { entries } = (parseJsonOrText(text) ?? {}) as { entries?: unknown[] }
      const context = {
        notes: new ImportNotes(),
        timezone: 'UTC',
        group: '',
        files: new Map<string, string>(),
        label: '',
      }
      for (const entry of Array.isArray(entries) ? entries : []) readEntry(toObject(entry) ?? {}, context)
      cleanDayOneText(text)
      readRichText(text)
    },
  },
  {
    name: 'entries of Journiv, Daylio and Diarium',
    fragments: jsonFragments,
    samples: [entriesOfOtherApps],
    parse(text) {
      const value = parseJsonOrText(text)
      const catalog = { titlesByIndex: new Map(), titlesById: new Map(), scoresByKey: new Map(), peopleById: new Map() }
      const daylio = { moods: new Map(), activities: new Map(), assets: new Map() }
      const context = {
        notes: new ImportNotes(),
        importedIds: new Map<string, string>(),
        timezone: 'UTC',
        files: new Map(),
        label: '',
        group: '',
      }
      for (const item of Array.isArray(value) ? value : [value]) {
        const entry = toObject(item) ?? {}
        readJournivEntry(entry, { ...context, catalog })
        readDaylioEntry(entry, { ...context, catalog: daylio })
        readDiariumEntry(entry, context)
        readMiniEntry(entry, { ...context, day: text, app: '' })
      }
      readDaylioRow({ full_date: text, time: text, mood: text, activities: text, note: text }, context, '')
      readQuillDelta(text)
    },
  },
  {
    name: 'page of Apple Journal',
    fragments: htmlFragments,
    parse(text) {
      assertThat(!/\]\(<?javascript:/i.test(htmlToMarkdown(text)), 'an address runs a script')
      const day = readWrittenDay(text)
      assertThat(day === undefined || !Number.isNaN(Date.parse(day)), `accepted the day ${day}`)
    },
  },
  {
    name: 'conversation of another app',
    fragments: jsonFragments,
    samples: [chatConversation],
    parse(text) {
      const notes = new ImportNotes()
      const value = parseJsonOrText(text)
      for (const { readConversation } of [chatGpt, claude]) {
        const source = readConversation(value, notes, '')
        if (source) toSourcePart(source, { notes, target: { id: '', owner_id: '' } })
      }
    },
  },
  {
    name: 'proposals of a model for a board',
    fragments: [...jsonFragments, '```json\n', '\n```', '```'],
    samples: ['Here:\n```json\n{"summary":"s","frames":[{"type":"text","name":"N","content":{"text":"t"}}]}\n```'],
    parse: (text) => readProposals(text, { offeredTypes: frameTypeNames, frames: [], freeFrameCount: 10 }),
  },
  {
    name: 'page read for a model',
    fragments: [
      '<',
      '>',
      '</',
      '<p>',
      '<script>',
      '</script',
      '<!--',
      '-->',
      '<svg',
      '&',
      '&amp;',
      '&#',
      '&#x10ffff;',
      '&#xd800;',
      ';',
      '"',
    ],
    parse: htmlToText,
  },
  {
    name: 'search query',
    fragments: [
      '"',
      '*',
      '(',
      ')',
      ' AND ',
      ' OR ',
      ' NOT ',
      'NEAR/2',
      ':',
      '-',
      "'",
      ' & ',
      ' | ',
      '!',
      '\\',
      '%',
      '_',
      'word',
      'Ünï',
      '字',
    ],
    parse(text) {
      for (const word of getQueryWords(text))
        assertThat(!/["'*():&|!\\\s]/.test(word), `the word ${word} has an operator in it`)
      createSnippet(`Somewhere ${text} else`, text)
      const { required } = parseSearchQuery(text)
      createSearchExcerpt(`Somewhere ${text} else`, required)
      assertThat(
        !/[()*:&|\\]/.test(toTokenQuery(required.flatMap(getQueryGrams).flat())),
        'a term has an operator in it',
      )
    },
  },
  {
    name: 'JSON of a request',
    fragments: jsonFragments,
    samples: [agentFile, boardFile],
    parse: (text) =>
      readJsonBody(
        new Request('http://localhost/', {
          method: 'POST',
          body: text,
          headers: { 'content-type': 'application/json' },
        }),
        undefined,
        { maxBytes: 100_000 },
      ),
    mayThrow: (thrown) => isRefusal(thrown) && Object.keys((thrown as Problem).details.fields ?? {}).length > 0,
  },
  {
    name: 'statements of a SOLE',
    fragments: ['.', '!', '?', '…', '"', '(', ')', ' ', '\n', 'e.g.', 'Dr.', '3.5', 'A', 'word', '-', '*'],
    parse(text) {
      splitSentences(text)
      sharesSubject(text, text.slice(1))
    },
  },
  {
    name: 'name of a browser',
    fragments: ['Mozilla/5.0', '(', ')', ';', 'Windows NT 10', 'Chrome/1', 'Safari/', 'Mobile', '/', ' '],
    parse: (text) => parseDevice(text),
  },
  {
    name: 'length of a recording',
    fragments: ['ID3', '\u00ff', '\u00fb', 'Xing', 'Info', '\u0090', '\u0000'],
    parse: (text) => measureMp3Seconds(Buffer.from(text, 'latin1')),
  },
]
