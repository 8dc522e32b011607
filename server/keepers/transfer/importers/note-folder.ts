import type { ImportNotes } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'
import { hashContent, readJsonFile, readTextFile, toObject, toText } from './foreign-values.ts'
import { findAliases, findBlocks, readEdnText, toPageName } from './logseq.ts'
import { PathIndex } from './path-index.ts'
import { findDateInName, readFormattedDate, readWrittenDate, toMomentFormat, type WrittenDate } from './text-dates.ts'

export interface NoteFolder {
  zip: ZipReader
  notes: string[]
  isNote(path: string): boolean
  /** Attachments, and files that no note mentions. */
  otherFiles: string[]
  isLogseq: boolean
  files: PathIndex
  /** Logseq notes by lowercase page name. */
  pages: ReadonlyMap<string, string>
  /** Logseq journals by day. */
  journals: ReadonlyMap<string, string>
  blocks: ReadonlyMap<string, { path: string; text: string }>
  /** Folders of daily notes, with the date format of their file names. */
  formats: { folder: string; format: string }[]
  getSourceId(path: string): string
}

const maxBlocks = 100_000

const noteExtension = /\.(?:md|markdown|mdown)$/i
const skippedPath = /(?:^|\/)(?:\.[^/]+|node_modules|logseq\/(?:bak|\.recycle|version-files))\/|\.excalidraw\.md$/i

export const listNotes = (names: readonly string[]): string[] =>
  names.filter((name) => noteExtension.test(name) && !skippedPath.test(name)).sort()

/** Reads the app's configuration, the blocks that others refer to, and an index of the files. */
export async function openNoteFolder(
  zip: ZipReader,
  notes: ImportNotes,
  importedIds: ReadonlyMap<string, string>,
): Promise<NoteFolder> {
  const names = new Set(zip.names)
  const isLogseq = [...names].some((name) => /^logseq\/(?:config\.edn|metadata\.edn)$/.test(name))
  const templates = await readTemplateFolders(zip, names, notes)
  const allNotes = listNotes([...names])
  const notePaths = allNotes.filter((name) => !templates.some((folder) => name.startsWith(folder)))
  if (notePaths.length < allNotes.length)
    notes.add(folderNotes.templates, undefined, allNotes.length - notePaths.length)
  noteViews(names, isLogseq, notes)
  const pages = new Map<string, string>()
  const journals = new Map<string, string>()
  const blocks = new Map<string, { path: string; text: string }>()
  if (isLogseq)
    for (const path of notePaths) {
      const name = toPageName(getNoteName(path))
      pages.set(name.toLowerCase(), path)
      const day = path.startsWith('journals/') ? findDateInName(name)?.day : undefined
      if (day !== undefined) journals.set(day, path)
      const text = await readTextFile(zip, path, notes)
      for (const alias of findAliases(text ?? '')) if (!pages.has(alias)) pages.set(alias, path)
      for (const [id, block] of findBlocks(text ?? ''))
        if (blocks.size < maxBlocks) blocks.set(id, { path, text: block })
    }
  const getSourceId = createSourceIdLookup(zip, notePaths, names, importedIds)
  const fileNames = [...names].filter((name) => !skippedPath.test(name))
  const files = new PathIndex(fileNames)
  const otherFiles = fileNames.filter(
    (name) => ![noteExtension, viewFile, settingsFile, ...(isLogseq ? [orgFile] : [])].some((kind) => kind.test(name)),
  )
  const formats = await readFormats(zip, names, isLogseq, notes)
  const noteSet = new Set(notePaths)
  const isNote = (path: string) => noteSet.has(path)
  return { zip, notes: notePaths, isNote, otherFiles, isLogseq, files, pages, journals, blocks, formats, getSourceId }
}

const folderNotes = {
  templates: { one: '1 template is left out.', many: '# templates are left out.' },
  views: {
    one: '1 canvas or drawing isn’t imported.',
    many: '# canvases and drawings aren’t imported.',
  },
  org: { one: '1 Org file isn’t imported.', many: '# Org files aren’t imported.' },
}

const viewFile = /\.(?:canvas|excalidraw|excalidraw\.md)$/i
const orgFile = /^(?:pages|journals)\/.*\.org$/i
/** Settings files of Logseq, text bundles and Bear. */
const settingsFile = /^logseq\/|(?:^|\/)info\.json$|^tags\.json$/i

function noteViews(names: ReadonlySet<string>, isLogseq: boolean, notes: ImportNotes): void {
  for (const name of names) {
    if (/(?:^|\/)\.[^/]+\//.test(name)) continue
    if (viewFile.test(name)) notes.add(folderNotes.views, name)
    if (isLogseq && orgFile.test(name)) notes.add(folderNotes.org, name)
  }
}

/** The name of a note; for a text bundle, the name of its folder. */
export function getNoteName(path: string): string {
  const parts = path.split('/')
  const bundle = parts.at(-2)
  if (bundle && /\.textbundle$/i.test(bundle)) return bundle.replace(/\.textbundle$/i, '')
  return (parts.at(-1) ?? '').replace(noteExtension, '')
}

async function readConfig(zip: ZipReader, names: ReadonlySet<string>, path: string, notes: ImportNotes) {
  return names.has(path) ? (toObject(await readJsonFile(zip, path, notes)) ?? {}) : {}
}

async function readTemplateFolders(zip: ZipReader, names: ReadonlySet<string>, notes: ImportNotes): Promise<string[]> {
  const coreConfig = await readConfig(zip, names, '.obsidian/templates.json', notes)
  const pluginConfig = await readConfig(zip, names, '.obsidian/plugins/templater-obsidian/data.json', notes)
  return [coreConfig.folder, pluginConfig.templates_folder].flatMap((value) => {
    const folder = toText(value)?.split('/').filter(Boolean).join('/')
    return folder ? [`${folder}/`] : []
  })
}

async function readFormats(
  zip: ZipReader,
  names: ReadonlySet<string>,
  isLogseq: boolean,
  notes: ImportNotes,
): Promise<NoteFolder['formats']> {
  const daily = await readConfig(zip, names, '.obsidian/daily-notes.json', notes)
  const periodic = await readConfig(zip, names, '.obsidian/plugins/periodic-notes/data.json', notes)
  const edn =
    isLogseq && names.has('logseq/config.edn') ? await readTextFile(zip, 'logseq/config.edn', notes) : undefined
  const formats = [daily, ...['daily', 'weekly', 'monthly'].map((kind) => toObject(periodic[kind]) ?? {})].map(
    ({ folder, format }) => ({ folder: toText(folder) ?? '', format: toText(format) }),
  )
  for (const key of ['journal/file-name-format', 'journal/page-title-format', 'date-formatter']) {
    const format = readEdnText(edn ?? '', key)
    if (format !== undefined) formats.push({ folder: 'journals', format: toMomentFormat(format) })
  }
  return formats.flatMap(({ folder, format }) => (format === undefined ? [] : [{ folder, format }]))
}

/** Parses the date in a note's name. `isWhole`: the name has nothing but the date. */
export function readNameDate(
  path: string,
  { formats, isLogseq }: NoteFolder,
): { date: WrittenDate; isWhole: boolean } | undefined {
  const pathWithoutExtension = path.replace(noteExtension, '')
  const name = isLogseq ? toPageName(getNoteName(path)) : getNoteName(path)
  for (const { folder, format } of formats) {
    const prefix = folder === '' ? '' : `${folder.split('/').filter(Boolean).join('/')}/`
    const date =
      (pathWithoutExtension.startsWith(prefix)
        ? readFormattedDate(pathWithoutExtension.slice(prefix.length), format)
        : undefined) ?? readFormattedDate(name, format.split('/').at(-1) ?? '')
    if (date) return { date, isWhole: true }
  }
  const date = findDateInName(name)
  return date && { date, isWhole: readWrittenDate(name) !== undefined || /^[\d\s.:TZW_+-]+$/i.test(name) }
}

/** Id from path and content. A note that moved keeps its id, so that importing again doesn't create duplicates. */
function createSourceIdLookup(
  zip: ZipReader,
  paths: readonly string[],
  names: ReadonlySet<string>,
  importedIds: ReadonlyMap<string, string>,
): (path: string) => string {
  const movedIdsByContent = new Map<string, string[]>()
  for (const id of importedIds.keys()) {
    const hashIndex = id.lastIndexOf('#')
    if (names.has(id.slice(0, hashIndex))) continue
    const content = id.slice(hashIndex + 1)
    movedIdsByContent.set(content, [...(movedIdsByContent.get(content) ?? []), id])
  }
  const ids = new Map<string, string>()
  for (const path of paths) {
    const content = zip.getFingerprint(path)
    const id = `${shortenPath(path)}#${content}`
    const candidates = importedIds.has(id) ? [] : (movedIdsByContent.get(content) ?? [])
    const movedIndex = candidates.findIndex((candidate) =>
      isSameNote(candidate.slice(0, candidate.lastIndexOf('#')), path, content),
    )
    ids.set(path, movedIndex < 0 ? id : (candidates.splice(movedIndex, 1)[0] ?? id))
  }
  return (path) => ids.get(path) ?? `${path}#`
}

const maxPathLength = 150

/** Ids have at most 200 characters. */
const shortenPath = (path: string) => (path.length <= maxPathLength ? path : hashContent(path))

const minDistinctBytes = 256

/** Two short notes with different names can have the same text. */
function isSameNote(previousPath: string, path: string, content: string): boolean {
  const bytes = Number.parseInt(content.slice(content.indexOf('-') + 1), 16)
  return getNoteName(previousPath) === getNoteName(path) || bytes >= minDistinctBytes
}
