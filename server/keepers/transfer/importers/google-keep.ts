import { basename, dirname, join } from 'node:path/posix'
import { type NoteText, noteTexts } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'
import {
  type ForeignObject,
  readFileTime,
  readJsonFile,
  toBoolean,
  toList,
  toNames,
  toNumber,
  toObject,
  toText,
} from './foreign-values.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import type { ImportedEntry, ImportedFile, Importer, ReadContext } from './importer.ts'
import { findDateInName, getWrittenInstant } from './text-dates.ts'

// Google Takeout: a folder, named in the person's language, with a JSON file, an HTML file and attachments for each
// note.

const maxRecognitionFiles = 300

export const googleKeep: Importer = {
  kind: 'google-keep',
  recognizes: (zip) => zip.someHeadMatches(zip.list(/\.json$/i).slice(0, maxRecognitionFiles), isNote),
  async *read(zip, context) {
    const files = indexFiles(zip)
    for (const name of zip.list(/\.json$/i)) {
      // Takeout can hold other products, whose JSON files aren't parsed.
      if (!isNote(await zip.readHead(name))) continue
      const note = toObject(await readJsonFile(zip, name, context.notes))
      if (!note) continue
      if (toBoolean(note.isTrashed)) context.notes.add(noteTexts.trashed)
      else yield readKeepNote(note, name, { ...context, zip, files })
    }
  },
}

const isNote = (head: string) =>
  /"isTrashed"\s*:/.test(head) &&
  /"(?:userEditedTimestampUsec|createdTimestampUsec|textContent|listContent)"\s*:/.test(head)

const keepNotes = {
  fileTime: {
    one: '1 note has no date: time taken from the file.',
    many: '# notes have no date: time taken from the file.',
  },
} satisfies Record<string, NoteText>

interface NoteContext extends Pick<ReadContext, 'notes' | 'timezone'> {
  zip: ZipReader
  files: ReadonlyMap<string, string>
}

function readKeepNote(note: ForeignObject, path: string, context: NoteContext): ImportedEntry {
  const name = basename(path).replace(/\.json$/i, '')
  const created = readTimestamp(note.createdTimestampUsec)
  const edited = readTimestamp(note.userEditedTimestampUsec)
  // Takeout names the file of an untitled note after the local time of its creation.
  const nameDate = findDateInName(name)
  const creationDate = nameDate?.time !== undefined && nameDate.offset !== undefined ? nameDate : undefined
  const timeInName = creationDate && getWrittenInstant(creationDate, context.timezone)
  return {
    sourceId: `${toText(note.createdTimestampUsec) ?? ''} ${name}`.trim().slice(0, 200),
    group: toBoolean(note.isArchived) ? 'Archived notes' : 'Notes',
    occurredAt: created ?? timeInName ?? edited ?? readFileTime(context.zip, path, context, keepNotes.fileTime),
    timezone: creationDate?.offset,
    modifiedAt: edited,
    title: toText(note.title),
    text: readKeepText(note),
    topics: toNames(note.labels),
    pinned: toBoolean(note.isPinned) ?? false,
    files: toList(note.attachments).map((value) => findFile(toObject(value)?.filePath, path, context.files)),
  }
}

/** Converts microseconds since the epoch to milliseconds; 0 stands for none. */
function readTimestamp(value: unknown): number | undefined {
  const number = toNumber(value)
  return number === undefined || number <= 0 ? undefined : Math.round(number / 1000)
}

/** Joins text, checklist and links. The text comes from the HTML if that has formatting or there is no plain text. */
export function readKeepText(note: ForeignObject): string {
  const html = toText(note.textContentHtml)
  const plain = toText(note.textContent)
  const isFormatted =
    html !== undefined && /font-weight:\s*[67]00|font-style:\s*italic|line-through|<h[1-6]|<[uo]l\b/i.test(html)
  const text = html !== undefined && (plain === undefined || isFormatted) ? htmlToMarkdown(html) : (plain ?? '')
  const items = toList(note.listContent).flatMap((value) => {
    const item = toObject(value)
    const itemText = indentLines(toText(item?.text))
    return itemText === undefined ? [] : [`- [${toBoolean(item?.isChecked) ? 'x' : ' '}] ${itemText}`]
  })
  const links = toList(note.annotations).flatMap((value) => {
    const { url, title } = toObject(value) ?? {}
    const address = toText(url)
    if (address === undefined || !/^https?:\/\/[^\s<>()]+$/i.test(address) || text.includes(address)) return []
    const label = toText(title)
      ?.replace(/[[\]\n]/g, ' ')
      .trim()
    return [label ? `[${label}](${address})` : address]
  })
  return [text.trim(), items.join('\n'), links.join('\n')].filter(Boolean).join('\n\n')
}

/** Indented lines below the first belong to the same item. */
const indentLines = (text: string | undefined) =>
  text
    ?.split('\n')
    .flatMap((line) => line.trim() || [])
    .join('\n  ')

function indexFiles(zip: ZipReader): Map<string, string> {
  return new Map(
    zip.names.filter((name) => !/\.(?:json|html|txt)$/i.test(name)).map((name) => [removeExtension(name), name]),
  )
}

const removeExtension = (path: string) => path.replace(/\.[a-z0-9]{1,5}$/i, '').toLowerCase()

/** The name that a note gives can have another extension than the file. */
function findFile(value: unknown, notePath: string, files: ReadonlyMap<string, string>): ImportedFile {
  const name = toText(value)?.normalize('NFC')
  if (name === undefined) return { file: undefined }
  const path = join(dirname(notePath), name)
  const file = files.get(removeExtension(path)) ?? path
  return { file, name: basename(file) }
}
