import { ImportNotes } from '#server/keepers/transfer/import-notes.ts'
import { formatCode, removeCitationMarks } from '#server/keepers/transfer/importers/conversation-texts.ts'
import { cleanDayOneText } from '#server/keepers/transfer/importers/day-one.ts'
import { readTagNames } from '#server/keepers/transfer/importers/entry-properties.ts'
import { toNames } from '#server/keepers/transfer/importers/foreign-values.ts'
import { readKeepText } from '#server/keepers/transfer/importers/google-keep.ts'
import { htmlToMarkdown, noteToMarkdown } from '#server/keepers/transfer/importers/html-to-markdown.ts'
import { readEntry as readJournivEntry, readQuillDelta } from '#server/keepers/transfer/importers/journiv.ts'
import { findAliases, findBlocks, readEdnText, readLogseqPage } from '#server/keepers/transfer/importers/logseq.ts'
import { readFrontMatter, tidyMarkdown } from '#server/keepers/transfer/importers/markdown.ts'
import { findInlineTags, removeComments, rewriteLinks } from '#server/keepers/transfer/importers/markdown-links.ts'
import { readMemo } from '#server/keepers/transfer/importers/memos.ts'
import { readNotionHtml, readNotionMarkdown } from '#server/keepers/transfer/importers/notion.ts'
import {
  findDateInName,
  readFormattedDate,
  readWrittenDate,
  readWrittenDay,
} from '#server/keepers/transfer/importers/text-dates.ts'
import type { TextReader } from './linear-time.ts'
import { createNumberedWords, htmlUnits, lengths, markdownUnits, noteUnits } from './text-units.ts'

/** Functions that parse texts in exports of other apps. */
export const importerTextReaders: TextReader[] = [
  {
    name: 'removeCitationMarks',
    maxLength: lengths.markdown,
    units: ['\uE200', '\uE201', '\uE202', '\uE200entity\uE202[', '\uE200url\uE202'],
    read: removeCitationMarks,
  },
  { name: 'formatCode', maxLength: lengths.markdown, units: ['`', '```', '`\n'], read: formatCode },
  {
    name: 'text of a Day One entry',
    maxLength: lengths.markdown,
    units: ['![](dayone-moment:', '![](', '[a](dayone://', '\\_', '\\-a', 'dayone://'],
    read: cleanDayOneText,
  },
  {
    name: 'links of a note',
    maxLength: lengths.markdown,
    units: [...noteUnits, ...markdownUnits],
    read: (text) => rewriteLinks(text, { find: () => undefined, findBlock: () => undefined }),
  },
  {
    name: 'Markdown, tags and comments of a note',
    maxLength: lengths.markdown,
    units: noteUnits,
    read(text) {
      removeComments(text)
      tidyMarkdown(text, 'a')
      findInlineTags(text)
      readTagNames(text)
    },
  },
  {
    name: 'front matter',
    maxLength: lengths.markdown,
    specificUnitsOnly: true,
    units: ['a: b\n', '- a\n', '[', '{a: ', '&a *a ', '"a', 'a:\n  ', '? ', '--- ', '\n---'],
    read: (text) => readFrontMatter(`---\n${text}\n---\n${text}`, new ImportNotes(), ''),
  },
  {
    name: 'Logseq page',
    maxLength: lengths.markdown,
    units: ['- ', '-\n', 'a:: b\n', '- TODO a\n', '\t', ':LOGBOOK:\n', '#+BEGIN_SRC\n', '```\n', 'id:: '],
    read(text) {
      readLogseqPage(text)
      findBlocks(text)
      findAliases(text)
      readEdnText(text, 'a')
    },
  },
  {
    name: 'Notion page',
    maxLength: lengths.markdown,
    units: ['# a\n', 'a: b\n', 'a:', '<aside>', '\n\n'],
    read: (text) => readNotionMarkdown(text, { isRow: true }),
  },
  {
    name: 'short HTML of another app',
    maxLength: lengths.markdown,
    specificUnitsOnly: true,
    units: ['<b>a</b>', '<i>a ', '<p>a', '<li>a', '<td>a', '<img src=a>', '<span style="font-weight:700">a', '&amp;'],
    read(text) {
      htmlToMarkdown(text)
      readNotionHtml(`<div class="page-body">${text}`)
    },
  },
  {
    name: 'Google Keep note',
    maxLength: lengths.markdown,
    units: ['[', '\n ', 'https://a '],
    read: (text) =>
      readKeepText({ textContent: text, listContent: [{ text }], annotations: [{ url: text, title: text }] }),
  },
  {
    name: 'Memos note',
    maxLength: lengths.markdown,
    units: ['[a](/m/', '[a', '](http://a/', '#a '],
    read: (text) => readMemo({ createTime: '2024-01-01T00:00:00Z', content: text, name: text }, new Map()),
  },
  {
    name: 'date in a line',
    maxLength: lengths.line,
    units: ['2024-', '20241103', '3 ', 'November ', '7:15 ', 'a.m. ', '→', '年'],
    read(text) {
      readWrittenDate(text)
      findDateInName(text)
      readFormattedDate(text, text)
      readFormattedDate(text, 'MMMM'.repeat(50))
    },
  },
  {
    name: 'tags of a Day One entry',
    maxLength: lengths.markdown,
    read: (text) => toNames([text, ...text.split(' ')]),
  },
  {
    name: 'HTML of another app',
    maxLength: lengths.document,
    specificUnitsOnly: true,
    units: [
      ...htmlUnits,
      '<div>',
      '<b>',
      '</b>',
      '<table>',
      '<td>',
      '<li>',
      '<a href=x>',
      '<br>',
      'data:a;base64,',
      '<pre>',
    ],
    read: htmlToMarkdown,
  },
  {
    name: 'HTML attributes of another app',
    maxLength: lengths.document,
    build: (length) => `<p ${createNumberedWords(length, ' ')}>a</p>`,
    read: htmlToMarkdown,
  },
  {
    name: 'bold HTML of another app',
    maxLength: lengths.document,
    build: (length) => '<b a>a</b> '.repeat(length / 11),
    read: htmlToMarkdown,
  },
  {
    name: 'note of another app',
    maxLength: lengths.document,
    units: ['&amp;', '&lt;', '<b', '<br', '\r\n'],
    read: noteToMarkdown,
  },
  {
    name: 'stylesheet of another app',
    maxLength: lengths.document,
    units: ['span.', 'span.a {', 'font-weight:', 'text-decoration:', '}'],
    read: (text) => htmlToMarkdown(`<style>${text}</style>`),
  },
  {
    name: 'text of a Journiv entry',
    maxLength: lengths.document,
    units: ['![](', '![a', '{"ops":['],
    read: (text) =>
      readJournivEntry({ content: text, entry_datetime_utc: '2026-01-01T00:00:00Z' }, createJournivContext()),
  },
  {
    name: 'rich text of a Journiv entry',
    maxLength: lengths.markdown,
    specificUnitsOnly: true,
    units: ['\n', 'a\n', ' ', '*', '\\'],
    read: (text) => readQuillDelta({ ops: [{ insert: text, attributes: { bold: true } }] }),
  },
  {
    name: 'date in a document',
    maxLength: lengths.document,
    units: ['1', '2024 ', 'may '],
    read: (text) => readWrittenDay(text),
  },
]

function createJournivContext(): Parameters<typeof readJournivEntry>[1] {
  const catalog = { titlesByIndex: new Map(), titlesById: new Map(), scoresByKey: new Map(), peopleById: new Map() }
  return {
    notes: new ImportNotes(),
    importedIds: new Map<string, string>(),
    timezone: 'UTC',
    catalog,
    files: new Map(),
    group: '',
    label: '',
  }
}
