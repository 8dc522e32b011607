import type { NoteText } from '../import-notes.ts'
import { readJsonArray } from '../read-json-array.ts'
import type { ZipReader } from '../zip-reader.ts'
import { type ForeignObject, toBoolean, toInstant, toList, toNumber, toObject, toText } from './foreign-values.ts'
import { formatEntryLink, type ImportedEntry, type ImportedFile, type Importer, type ReadContext } from './importer.ts'
import { findInlineTags, mapProse } from './markdown-links.ts'

// Responses of the memos API, GET /api/v1/memos, in one or more JSON files, with the attachments in the same folder.

const headBytes = 64 * 1024
const maxAnswers = 2000

export const memos: Importer = {
  kind: 'memos',
  async recognizes(zip) {
    return (await listAnswers(zip)).length > 0
  },
  async *read(zip, context) {
    const files = indexFiles(zip)
    for (const { name, path } of await listAnswers(zip)) {
      let position = 0
      for await (const value of readJsonArray(zip, name, path)) {
        position += 1
        const memo = readMemo(value, { ...context, files, label: `${name}, memo ${position}` })
        if (memo) yield memo
      }
    }
  },
}

async function listAnswers(zip: ZipReader): Promise<{ name: string; path: string }[]> {
  const answers: { name: string; path: string }[] = []
  const names = zip.names.filter((name) => /\.json$/i.test(name)).sort()
  for (const name of names.slice(0, maxAnswers)) {
    const head = (await zip.head(name, headBytes)).toString('utf8').replace(/^\uFEFF/, '')
    const list = /^\s*\{[^[\]]{0,200}"(memos|data)"\s*:\s*\[/.exec(head)?.[1]
    const isMemo = /"(?:name|parent)"\s*:\s*"memos\/|"(?:createdTs|rowStatus)"\s*:/.test(head)
    if (isMemo && list !== undefined) answers.push({ name, path: `$.${list}.*` })
    else if (isMemo && /^\s*\[/.test(head)) answers.push({ name, path: '$.*' })
  }
  return answers
}

interface MemoContext extends Pick<ReadContext, 'notes' | 'timezone'> {
  files: ReadonlyMap<string, string[]>
  label: string
}

const unreadable = {
  memo: { one: '1 memo isn’t an object and is left out.', many: '# memos aren’t objects and are left out.' },
  date: {
    one: '1 memo has no date that can be read and is left out.',
    many: '# memos have no date that can be read and are left out.',
  },
} satisfies Record<string, NoteText>

export function readMemo(value: unknown, context: MemoContext): ImportedEntry | undefined {
  const memo = toObject(value)
  const createdAt = memo && readInstant(memo, ['createTime', 'create_time', 'displayTime', 'display_time', 'createdTs'])
  if (!memo || createdAt === undefined) {
    context.notes.add(memo ? unreadable.date : unreadable.memo, context.label)
    return undefined
  }
  const content = toText(memo.content) ?? ''
  const tags = toList(memo.tags).flatMap((tag) => toText(tag) ?? [])
  const sourceId = getMemoName(memo) ?? `memo ${createdAt}`
  const { files, links } = readAttachments(memo, context)
  const isArchived = [memo.state, memo.rowStatus].includes('ARCHIVED')
  return {
    sourceId,
    group: isArchived ? 'Archived memos' : 'Memos',
    occurredAt: createdAt,
    modifiedAt: readInstant(memo, ['updateTime', 'update_time', 'updatedTs']),
    text: [linkMemos(content), ...links, ...readRelations(memo, sourceId, content)].filter(Boolean).join('\n\n'),
    topics: tags.length > 0 ? tags : findInlineTags(content),
    place: readPlace(memo.location),
    pinned: toBoolean(memo.pinned) ?? false,
    files,
  }
}

/** Protocol buffers write a missing time as the year 1. */
function readInstant(memo: ForeignObject, names: readonly string[]): number | undefined {
  const times = names.map((name) => toInstant(memo[name])).filter((at) => at !== undefined)
  return times.find((at) => at > 0) ?? undefined
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

/** A comment links to its memo, a memo to those it refers to. */
function readRelations(memo: ForeignObject, sourceId: string, content: string): string[] {
  const parent = toText(memo.parent)
  const related = toList(memo.relations).flatMap((value) => {
    const relation = toObject(value)
    const name = toText(toObject(relation?.relatedMemo)?.name) ?? toText(relation?.relatedMemo)
    const isOwn = (toText(toObject(relation?.memo)?.name) ?? toText(relation?.memo) ?? sourceId) === sourceId
    return name !== undefined && isOwn && name !== sourceId && name !== parent ? [name] : []
  })
  const links = [
    ...(parent === undefined || parent === '' ? [] : [formatEntryLink('The memo this comments on', parent)]),
    ...[...new Set(related)]
      .filter((name) => !content.includes(`/${name.split('/').at(-1)}`))
      .map((name) => formatEntryLink('Another memo', name)),
  ]
  return links
}

function readPlace(value: unknown): ImportedEntry['place'] {
  const location = toObject(value)
  if (!location) return undefined
  return { name: toText(location.placeholder), lat: toNumber(location.latitude), lng: toNumber(location.longitude) }
}

function indexFiles(zip: ZipReader): Map<string, string[]> {
  const files = new Map<string, string[]>()
  for (const path of zip.names) {
    const name = (path.split('/').at(-1) ?? '').toLowerCase()
    const others = files.get(name)
    if (others) others.push(path)
    else files.set(name, [path])
  }
  return files
}

/** A file that the server stores elsewhere stays a link. */
function readAttachments(memo: ForeignObject, { files }: MemoContext): { files: ImportedFile[]; links: string[] } {
  const attachments = [memo.attachments, memo.resources, memo.resourceList]
    .flatMap(toList)
    .map((value) => toObject(value) ?? {})
  const links: string[] = []
  const match = attachments.flatMap((attachment): ImportedFile[] => {
    const filename = toText(attachment.filename)?.normalize('NFC')
    const external = toText(attachment.externalLink)
    if (external !== undefined && /^https?:\/\/[^\s<>()]+$/i.test(external)) {
      links.push(`[${(filename ?? 'File').replace(/[[\]\n]/g, ' ')}](${external})`)
      return []
    }
    const id = (getMemoName(attachment) ?? '').split('/').at(-1) ?? ''
    return [{ file: findFile(id, filename, files), name: filename }]
  })
  return { files: match, links }
}

/** Named by its id and name, in any folder; by its name alone only where that is unique. */
function findFile(id: string, filename: string | undefined, files: ReadonlyMap<string, string[]>): string | undefined {
  if (filename === undefined) return undefined
  const named = files.get(filename.toLowerCase()) ?? []
  const prefixed = [`${id}_${filename}`, `${id}-${filename}`].flatMap((name) => files.get(name.toLowerCase()) ?? [])
  const exact = prefixed[0] ?? named.find((path) => path.split('/').includes(id))
  return exact ?? (named.length === 1 ? named[0] : `attachments/${id}/${filename}`)
}
