import * as agentSlugs from '#contract/agents/agent-slug.ts'
import { agentFileToImport } from '#contract/agents/versions.ts'
import { boardImport } from '#contract/boards/board-files.ts'
import { frameTypeNames } from '#contract/boards/frame-types.ts'
import { csvLine } from '#contract/csv-line.ts'
import { domainSlugProblem } from '#contract/domains/domain-slug.ts'
import { sentencesOf, sharesSubject } from '#contract/keepers/sole-statements.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import { withoutMarks } from '#contract/plain-words.ts'
import { plainColour } from '#contract/themes/plain-colour.ts'
import { themes } from '#contract/themes/themes.ts'
import { deviceOf } from '#server/accounts/device-of.ts'
import { readProposals } from '#server/boards/assist/read-proposals.ts'
import { readHostName } from '#server/domains/custom/host-name.ts'
import { Problem } from '#server/http/problem.ts'
import { readJsonBody } from '#server/http/request-body.ts'
import { textOfHtml } from '#server/http/text-of-html.ts'
import { wordsAskedFor } from '#server/keepers/memory-cards/card-words.ts'
import { snippetOf } from '#server/keepers/memory-cards/snippet.ts'
import { archive } from '#server/keepers/transfer/archive-format.ts'
import { dayOneEntry, dayOneJournal, filesOf, wordsOf } from '#server/keepers/transfer/day-one-format.ts'
import { mp3Duration } from '#server/media/mp3-duration.ts'
import { EventStreamParser } from '#server/models/event-stream-parser.ts'
import { markdownBlocks } from '#web/agents/chat/markdown-blocks.ts'
import { eventStreamReader } from '#web/api-event-stream.ts'
import { excerptOf } from '#web/library/search-documents.ts'
import { csvRows } from '#web/library/text/csv-rows.ts'
import { readThemeFile } from '#web/themes/theme-file.ts'
import {
  agentFile,
  boardFile,
  dayOne,
  eventPieces,
  jsonPieces,
  keeperArchive,
  markdownPieces,
  slugPieces,
  themeText,
} from './parser-pieces.ts'
import type { Parser } from './try-parser.ts'

const refusal = (thrown: unknown) => thrown instanceof Problem && thrown.status < 500
const must = (holds: boolean, words: string) => {
  if (!holds) throw new Error(words)
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Event boundaries must not depend on where chunks end. */
function streamedTwice(text: string): void {
  const whole: string[] = []
  eventStreamReader((event, data) => whole.push(event, data))(text)
  const cut: string[] = []
  const read = eventStreamReader((event, data) => cut.push(event, data))
  const step = 1 + (text.length % 7)
  for (let at = 0; at < text.length; at += step) read(text.slice(at, at + step))
  must(JSON.stringify(whole) === JSON.stringify(cut), 'an event depends on where its pieces end')
}

function parsedTwice(text: string): void {
  const bytes = Buffer.from(text)
  const told = (step: number) => {
    const parser = new EventStreamParser(4096)
    const events = []
    for (let at = 0; at < bytes.length; at += step) events.push(...parser.push(bytes.subarray(at, at + step)))
    return JSON.stringify([...events, ...parser.end()])
  }
  must(told(bytes.length + 1) === told(1 + (text.length % 5)), 'an event depends on where its chunks end')
}

/** Whether removing letters from `whole` can produce `remaining`. */
function isLeftOf(rest: string, whole: string): boolean {
  let at = 0
  for (let index = 0; index < whole.length && at < rest.length; index++) if (whole[index] === rest[at]) at += 1
  return at === rest.length
}

const ourServer = { publicUrl: 'https://keeper.example', host: '0.0.0.0', customDomains: {} } as Parameters<
  typeof readHostName
>[1]
export const parsers: Parser[] = [
  {
    name: 'markdown cut into blocks',
    pieces: markdownPieces,
    parse: (text) => must(markdownBlocks(text).join('\n').length === text.length, 'a letter is lost'),
  },
  {
    name: 'plain words of markdown',
    pieces: markdownPieces,
    parse(text) {
      const plain = withoutMarks(text)
      must(isLeftOf(plain.text, text), 'a letter was put in or moved')
      must(
        plain.seams.every((seam, at) => seam >= (plain.seams[at - 1] ?? 0) && seam <= plain.text.length),
        'odd seams',
      )
    },
  },
  { name: 'event stream of the page', pieces: eventPieces, parse: streamedTwice },
  {
    name: 'event stream of a provider',
    pieces: eventPieces,
    parse: parsedTwice,
    mayThrow: (thrown) =>
      thrown instanceof RangeError || (thrown instanceof TypeError && /byte order mark/.test(thrown.message)),
  },
  {
    name: 'slug of an agent',
    pieces: slugPieces,
    parse(text) {
      agentSlugs.slugProblem(text)
      const slug = agentSlugs.slugFrom(text)
      must(slug === '' || /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug), `made the slug ${slug}`)
    },
  },
  {
    name: 'slug of a domain',
    pieces: slugPieces,
    parse: (text) => domainSlugProblem(text) === undefined && must(/^[a-z0-9-]{1,100}$/.test(text), `took ${text}`),
  },
  {
    name: 'name of a custom host',
    pieces: [
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
    parse: (text) => must(/^[a-z0-9.-]+$/.test(readHostName(text, ourServer)), 'took a name that is none'),
    mayThrow: (thrown) => refusal(thrown) && 'customDomain' in ((thrown as Problem).details.fields ?? {}),
  },
  {
    name: 'rows of CSV',
    pieces: ['"', '""', ',', ';', '\t', '\n', '\r\n', '\r', 'a', '1', ' ', '=', '\ufeff'],
    parse(text) {
      csvRows(text)
      const line = csvLine(['first', text.replace(/^[=+\-@\t\r]/, ''), 'last'])
      const [row] = csvRows(line)
      must(row?.length === 3, 'a value written as CSV is read as several')
    },
  },
  {
    name: 'tag',
    pieces: ['#', 'a', ' ', ',', 'Ü', 'İ'],
    parse: (text) => must(foldedTopic(foldedTopic(text)) === foldedTopic(text), 'a folded tag folds on'),
  },
  {
    name: 'file of a theme',
    pieces: [...jsonPieces, '#fff', 'light', 'dark'],
    whole: [themeText],
    parse: readThemeFile,
  },
  {
    name: 'theme as it is sent',
    pieces: [...jsonPieces, '#fff'],
    whole: [themeText],
    parse: (text) => themes.create.body?.safeParse(valueIn(text)),
  },
  {
    name: 'colour',
    pieces: ['#', 'f', '0', 'rgb(', 'rgba(', 'hsl(', ')', ',', '1', '%', ' ', 'red', 'url(', 'var(', ';', '}', '/*'],
    parse: (text) => must(/^#[0-9a-f]{6}$/i.test(plainColour(text) ?? '#000000'), 'a colour that is none'),
  },
  {
    name: 'file of an agent',
    pieces: jsonPieces,
    whole: [agentFile],
    parse: (text) => agentFileToImport.safeParse(valueIn(text)),
  },
  {
    name: 'file of a board',
    pieces: jsonPieces,
    whole: [boardFile],
    parse: (text) => boardImport.safeParse(valueIn(text)),
  },
  {
    name: 'archive of keepers',
    pieces: jsonPieces,
    whole: [keeperArchive],
    parse: (text) => archive.safeParse(valueIn(text)),
  },
  {
    name: 'journal of Day One',
    pieces: [...jsonPieces, '![](dayone-moment:', '![', ']('],
    whole: [dayOne],
    parse(text) {
      const read = dayOneJournal.safeParse(valueIn(text))
      for (const given of read.success ? read.data.entries : []) {
        const entry = dayOneEntry.safeParse(given)
        if (!entry.success) continue
        filesOf(entry.data)
        wordsOf(entry.data)
      }
      wordsOf({ text } as Parameters<typeof wordsOf>[0])
      wordsOf({ richText: text } as Parameters<typeof wordsOf>[0])
    },
  },
  {
    name: 'proposals of a model for a board',
    pieces: [...jsonPieces, '```json\n', '\n```', '```'],
    whole: ['Here:\n```json\n{"summary":"s","frames":[{"type":"text","name":"N","content":{"text":"t"}}]}\n```'],
    parse: (text) => readProposals(text, { offered: frameTypeNames, frames: [], room: 10 }),
  },
  {
    name: 'page read for a model',
    pieces: [
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
    parse: textOfHtml,
  },
  {
    name: 'words searched for',
    pieces: [
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
      for (const word of wordsAskedFor(text))
        must(!/["'*():&|!\\\s]/.test(word), `the word ${word} has an operator in it`)
      snippetOf(`Somewhere ${text} else`, text)
      excerptOf(`Somewhere ${text} else`, text)
    },
  },
  {
    name: 'JSON of a request',
    pieces: jsonPieces,
    whole: [agentFile, boardFile],
    parse: (text) =>
      readJsonBody(
        new Request('http://localhost/', {
          method: 'POST',
          body: text,
          headers: { 'content-type': 'application/json' },
        }),
        undefined,
        { limitBytes: 100_000 },
      ),
    mayThrow: (thrown) => refusal(thrown) && Object.keys((thrown as Problem).details.fields ?? {}).length > 0,
  },
  {
    name: 'statements of a SOLE',
    pieces: ['.', '!', '?', '…', '"', '(', ')', ' ', '\n', 'e.g.', 'Dr.', '3.5', 'A', 'word', '-', '*'],
    parse(text) {
      sentencesOf(text)
      sharesSubject(text, text.slice(1))
    },
  },
  {
    name: 'name of a browser',
    pieces: ['Mozilla/5.0', '(', ')', ';', 'Windows NT 10', 'Chrome/1', 'Safari/', 'Mobile', '/', ' '],
    parse: (text) => deviceOf(text),
  },
  {
    name: 'length of a recording',
    pieces: ['ID3', '\u00ff', '\u00fb', 'Xing', 'Info', '\u0090', '\u0000'],
    parse: (text) => mp3Duration(Buffer.from(text, 'latin1')),
  },
]
