import { dirname, join } from 'node:path/posix'
import { parse } from 'yaml'
import { toYamlProperties, yamlMapOptions } from '#contract/yaml-properties.ts'
import { type ImportNotes, type NoteText, noteTexts } from '../import-notes.ts'
import { maxTitleLength } from '../import-plan.ts'
import type { ZipReader } from '../zip-reader.ts'
import { readProperties, readTagNames } from './entry-properties.ts'
import {
  type ForeignObject,
  readFileTime,
  readJsonFile,
  readTextFile,
  toBoolean,
  toInstant,
  toObject,
} from './foreign-values.ts'
import type { ImportedEntry, Importer, ReadContext } from './importer.ts'
import { readLogseqPage, toPageName } from './logseq.ts'
import { findInlineTags, type LinkResolver, mapProse, removeComments, rewriteLinks } from './markdown-links.ts'
import { getNoteName, listNotes, type NoteFolder, openNoteFolder, readNameDate } from './note-folder.ts'
import { noteUnusedFiles } from './read-entries.ts'
import { findDateInName, getWrittenInstant, readWrittenDate } from './text-dates.ts'

const maxFrontMatterLength = 64 * 1024
const openingLine = /^---[ \t]*\r?\n/
const closingLine = /(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** The YAML between `---` at the very start, and the text after it. YAML that can't be read is read line by line. */
export function readFrontMatter(
  source: string,
  notes: ImportNotes,
  label: string,
): { properties: Map<string, unknown>; body: string } {
  const opening = openingLine.exec(source)
  if (!opening) return { properties: new Map(), body: source }
  const start = opening[0].length
  const closing = closingLine.exec(source.slice(start - 1, start + maxFrontMatterLength))
  if (!closing) return { properties: new Map(), body: source }
  const yaml = source.slice(start, start - 1 + closing.index)
  const body = source.slice(start - 1 + closing.index + closing[0].length)
  const value = parseYaml(yaml)
  if (value === undefined) notes.add(unreadableYamlNote, label)
  return { properties: value === undefined ? readLines(yaml) : new Map(Object.entries(value)), body }
}

const unreadableYamlNote: NoteText = {
  one: '1 note has front matter that isn’t valid YAML; the lines that can be read are imported.',
  many: '# notes have front matter that isn’t valid YAML; the lines that can be read are imported.',
}

/** Dates stay strings, so that the parser doesn't guess a time zone. */
function parseYaml(yaml: string): Record<string, unknown> | undefined {
  try {
    return toYamlProperties(parse(yaml, { ...yamlMapOptions, schema: 'core', maxAliasCount: 10 }))
  } catch {
    return undefined
  }
}

/** `key: value` lines and the `- item` lines below them. */
function readLines(yaml: string): Map<string, unknown> {
  const values = new Map<string, unknown>()
  let items: string[] | undefined
  for (const line of yaml.split(/\r?\n/)) {
    const item = /^\s*-\s(.*)$/.exec(line)?.[1]
    if (item !== undefined) {
      items?.push(unquote(item))
      continue
    }
    const [, key, text = ''] = /^([^\s:#-][^:]{0,80}):(?:\s(.*))?$/.exec(line) ?? []
    if (key === undefined) continue
    items = text.trim() === '' ? [] : undefined
    values.set(key, items ?? unquote(text))
  }
  return values
}

const unquote = (text: string) => text.trim().replace(/^(["'])(.*)\1$/, '$2')

// A folder of Markdown notes: a vault of Obsidian, a graph of Logseq, or any other folder.

export const markdown: Importer = {
  kind: 'markdown',
  recognizes: (zip) => listNotes(zip.names).length > 0,
  async *read(zip, context) {
    const noteFolder = await openNoteFolder(zip, context.notes, context.importedIds)
    yield* noteUnusedFiles(readNotes(noteFolder, context), noteFolder.otherFiles, context.notes)
  },
}

async function* readNotes(noteFolder: NoteFolder, context: ReadContext): AsyncGenerator<ImportedEntry> {
  const { zip, notes } = noteFolder
  for (const path of notes) {
    const bear = await readBearInfo(zip, path, context.notes)
    if (toBoolean(bear.trashed)) {
      context.notes.add(noteTexts.trashed)
      continue
    }
    const source = await readTextFile(zip, path, context.notes)
    if (source !== undefined) yield readNote(source, path, noteFolder, { ...context, bear })
  }
}

/** Bear's dates, pin and trash mark of a note, from the file next to its text. */
async function readBearInfo(zip: ZipReader, path: string, notes: ImportNotes): Promise<ForeignObject> {
  const infoPath = join(dirname(path), 'info.json')
  if (!/\.textbundle\//i.test(path) || zip.getSize(infoPath) === undefined) return {}
  return toObject(toObject(await readJsonFile(zip, infoPath, notes))?.['net.shinyfrog.bear']) ?? {}
}

const fileTimeNote: NoteText = {
  one: '1 note has no date in its properties, name or heading: time taken from the file.',
  many: '# notes have no date in their properties, names or headings: time taken from the file.',
}

function readNote(
  source: string,
  path: string,
  noteFolder: NoteFolder,
  { notes, timezone, bear }: Pick<ReadContext, 'notes' | 'timezone'> & { bear: ForeignObject },
): ImportedEntry {
  const frontMatter = readFrontMatter(source.replace(/\r\n?/g, '\n'), notes, path)
  const logseq = noteFolder.isLogseq ? readLogseqPage(frontMatter.body) : undefined
  const { others, ...fields } = readProperties(new Map([...frontMatter.properties, ...(logseq?.properties ?? [])]), {
    notes,
    timezone,
    label: path,
    source: noteFolder.isLogseq ? 'Logseq' : 'Markdown',
  })
  const noteText = removeComments(logseq?.text ?? frontMatter.body).trim()
  const body = [noteText, removeComments(others)].filter(Boolean).join('\n\n')
  const { text, files } = rewriteLinks(body, createResolver(path, noteFolder))
  const nameDate = readNameDate(path, noteFolder)
  const heading = /^#{1,6}[ \t]+([^\n]{1,300})/.exec(noteText)?.[1]?.trim()
  const headingDate = heading === undefined ? undefined : (readWrittenDate(heading) ?? findDateInName(heading))
  const writtenDate = nameDate?.date ?? headingDate
  const name = noteFolder.isLogseq ? toPageName(getNoteName(path)) : getNoteName(path)
  const titleOrName = fields.title ?? (nameDate?.isWhole ? '' : name)
  // A title that is only the day repeats what every moment shows.
  const title = readWrittenDate(titleOrName) === undefined && titleOrName !== '' ? titleOrName : undefined
  return {
    ...fields,
    sourceId: noteFolder.getSourceId(path),
    group: getGroup(path),
    occurredAt:
      fields.occurredAt ??
      (writtenDate ? getWrittenInstant(writtenDate, fields.timezone ?? timezone) : toInstant(bear.creationDate)) ??
      readFileTime(noteFolder.zip, path, { notes, timezone }, fileTimeNote),
    modifiedAt: fields.modifiedAt ?? toInstant(bear.modificationDate),
    pinned: fields.pinned || toBoolean(bear.pinned),
    timezone: fields.timezone ?? (fields.occurredAt === undefined ? writtenDate?.offset : undefined),
    title,
    text: tidyMarkdown(text, title),
    topics: [...(fields.topics ?? []), ...readTagNames(findInlineTags(noteText))],
    files,
  }
}

function getGroup(path: string): string {
  const names = path.split('/').filter((name) => !name.toLowerCase().endsWith('.textbundle'))
  const folder = dirname(names.join('/'))
  return folder === '.' ? 'Notes' : folder.slice(0, maxTitleLength)
}

function createResolver(from: string, noteFolder: NoteFolder): LinkResolver {
  const toTarget = (path: string | undefined) => {
    if (path === undefined) return undefined
    return noteFolder.isNote(path)
      ? ({ kind: 'note', sourceId: noteFolder.getSourceId(path) } as const)
      : ({ kind: 'file', path } as const)
  }
  return {
    find(target) {
      if (target === '') return undefined
      const page = noteFolder.pages.get(target.toLowerCase())
      const day = noteFolder.isLogseq ? readWrittenDate(target)?.day : undefined
      const journal = day === undefined ? undefined : noteFolder.journals.get(day)
      return toTarget(
        page ?? journal ?? noteFolder.files.find(target, from) ?? noteFolder.files.find(`${target}.md`, from),
      )
    },
    ...(noteFolder.isLogseq && {
      findBlock(id: string) {
        const block = noteFolder.blocks.get(id)
        return block && { sourceId: noteFolder.getSourceId(block.path), text: block.text }
      },
    }),
  }
}

const callout = /^([ \t]{0,20}(?:>[ \t]?){1,5})\[!([\w-]{1,40})(?:\|[^\]\n]{0,80})?\][+-]?[ \t]*([^\n]*)$/gm
const blockMark = /[ \t]\^[a-z0-9-]{1,60}$/gim

/** Removes syntax that only Obsidian displays, and the first heading if it repeats the title. */
export function tidyMarkdown(text: string, title: string | undefined): string {
  const plain = mapProse(text, (prose) =>
    prose
      .replace(
        callout,
        (_, quote: string, kind: string, label: string) => `${quote}**${label.trim() || capitalize(kind)}**`,
      )
      .replace(blockMark, ''),
  ).trim()
  const [heading = '', ...body] = plain.split('\n')
  return title !== undefined && heading.replace(/^#\s+/, '').trim() === title.trim() && heading.startsWith('# ')
    ? body.join('\n').trim()
    : plain
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
