import { basename } from 'node:path/posix'
import type { NoteText } from '../import-notes.ts'
import { readJsonValues } from '../read-json.ts'
import type { ZipReader } from '../zip-reader.ts'
import { type ForeignObject, toBoolean, toInstant, toList, toObject, toPosition, toText } from './foreign-values.ts'
import { formatEntryLink, type ImportedEntry, type ImportedFile, type Importer } from './importer.ts'
import { findInlineTags, mapProse } from './markdown-links.ts'
import { readEntries } from './read-entries.ts'

// Responses of the memos API, GET /api/v1/memos, in one or more JSON files, with the attachments in the same folder.

const maxResponses = 2000

export const memos: Importer = {
  kind: 'memos',
  recognizes: async (zip) => (await listResponses(zip)).length > 0,
  async *read(zip, { notes }) {
    const files = Map.groupBy(zip.names, (path) => basename(path).toLowerCase())
    for (const { name, path } of await listResponses(zip))
      yield* readEntries(readJsonValues(zip, name, [path]), `${name}, memo`, { notes, texts: memosNotes }, (memo) =>
        readMemo(memo, files),
      )
  },
}

async function listResponses(zip: ZipReader): Promise<{ name: string; path: string }[]> {
  const responses: { name: string; path: string }[] = []
  for (const name of zip.list(/\.json$/i).slice(0, maxResponses)) {
    const head = await zip.readHead(name)
    const listKey = /^\s*\{[^[\]]{0,200}"(memos|data)"\s*:\s*\[/.exec(head)?.[1]
    const isMemo = /"(?:name|parent)"\s*:\s*"memos\/|"(?:createdTs|rowStatus)"\s*:/.test(head)
    if (isMemo && listKey !== undefined) responses.push({ name, path: `$.${listKey}.*` })
    else if (isMemo && /^\s*\[/.test(head)) responses.push({ name, path: '$.*' })
  }
  return responses
}

/** Paths by file name. */
type FileIndex = ReadonlyMap<string, string[]>

const memosNotes = {
  notAnObject: { one: '1 memo isn’t an object and is left out.', many: '# memos aren’t objects and are left out.' },
  noDate: {
    one: '1 memo has no date that can be read and is left out.',
    many: '# memos have no date that can be read and are left out.',
  },
} satisfies Record<string, NoteText>

export function readMemo(memo: ForeignObject, fileIndex: FileIndex): ImportedEntry | undefined {
  const createdAt = readInstant(memo, ['createTime', 'create_time', 'displayTime', 'display_time', 'createdTs'])
  if (createdAt === undefined) return undefined
  const content = toText(memo.content) ?? ''
  const tags = toList(memo.tags).flatMap((tag) => toText(tag) ?? [])
  const sourceId = getMemoName(memo) ?? `memo ${createdAt}`
  const { files, links } = readAttachments(memo, fileIndex)
  const location = toObject(memo.location)
  const isArchived = [memo.state, memo.rowStatus].includes('ARCHIVED')
  return {
    sourceId,
    group: isArchived ? 'Archived memos' : 'Memos',
    occurredAt: createdAt,
    modifiedAt: readInstant(memo, ['updateTime', 'update_time', 'updatedTs']),
    text: [linkMemos(content), ...links, ...readRelations(memo, sourceId, content)].filter(Boolean).join('\n\n'),
    topics: tags.length > 0 ? tags : findInlineTags(content),
    place: location && { name: toText(location.placeholder), ...toPosition(location) },
    pinned: toBoolean(memo.pinned) ?? false,
    files,
  }
}

/** Protocol buffers write a missing time as the year 1. */
function readInstant(memo: ForeignObject, names: readonly string[]): number | undefined {
  const times = names.map((name) => toInstant(memo[name])).filter((time) => time !== undefined)
  return times.find((time) => time > 0)
}

function getMemoName(memo: ForeignObject): string | undefined {
  const id = toText(memo.uid) ?? toText(memo.id)
  return toText(memo.name)?.slice(0, 200) ?? (id === undefined ? undefined : `memos/${id}`.slice(0, 200))
}

const memoLink = /\[((?:[^\]\\\n[]|\\.){0,500})\]\((?:https?:\/\/[^\s()/]{1,200})?\/?(?:m|memos)\/([\w-]{1,64})\)/g

const linkMemos = (content: string) =>
  mapProse(content, (prose) =>
    prose.replace(memoLink, (_, label: string, id: string) => formatEntryLink(label || 'Memo', `memos/${id}`)),
  )

/** Links from a comment to its memo, and from a memo to the memos it refers to. */
function readRelations(memo: ForeignObject, sourceId: string, content: string): string[] {
  const parent = toText(memo.parent)
  const related = toList(memo.relations).flatMap((value) => {
    const relation = toObject(value)
    const name = toText(toObject(relation?.relatedMemo)?.name) ?? toText(relation?.relatedMemo)
    const isFromMemo = (toText(toObject(relation?.memo)?.name) ?? toText(relation?.memo) ?? sourceId) === sourceId
    return name !== undefined && isFromMemo && name !== sourceId && name !== parent ? [name] : []
  })
  return [
    ...(parent === undefined ? [] : [formatEntryLink('The memo this comments on', parent)]),
    ...[...new Set(related)]
      .filter((name) => !content.includes(`/${basename(name)}`))
      .map((name) => formatEntryLink('Another memo', name)),
  ]
}

/** A file that the server stores elsewhere stays a link. */
function readAttachments(memo: ForeignObject, fileIndex: FileIndex): { files: ImportedFile[]; links: string[] } {
  const attachments = [memo.attachments, memo.resources, memo.resourceList]
    .flatMap(toList)
    .map((value) => toObject(value) ?? {})
  const links: string[] = []
  const files = attachments.flatMap((attachment): ImportedFile[] => {
    const filename = toText(attachment.filename)?.normalize('NFC')
    const external = toText(attachment.externalLink)
    if (external !== undefined && /^https?:\/\/[^\s<>()]+$/i.test(external)) {
      links.push(`[${(filename ?? 'File').replace(/[[\]\n]/g, ' ')}](${external})`)
      return []
    }
    return [{ file: findFile(basename(getMemoName(attachment) ?? ''), filename, fileIndex), name: filename }]
  })
  return { files, links }
}

/** Finds an attachment by id and name in any folder, or by name alone if that is unique. */
function findFile(id: string, filename: string | undefined, files: FileIndex): string | undefined {
  if (filename === undefined) return undefined
  const namedPaths = files.get(filename.toLowerCase()) ?? []
  const prefixedPaths = [`${id}_${filename}`, `${id}-${filename}`].flatMap(
    (name) => files.get(name.toLowerCase()) ?? [],
  )
  const exactPath = prefixedPaths[0] ?? namedPaths.find((path) => path.split('/').includes(id))
  return exactPath ?? (namedPaths.length === 1 ? namedPaths[0] : `attachments/${id}/${filename}`)
}
