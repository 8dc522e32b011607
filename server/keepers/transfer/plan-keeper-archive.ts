import { basename } from 'node:path/posix'
import { mediaTypes } from '#contract/keepers/media.ts'
import type { StoredSourceMessage } from '#contract/keepers/sources.ts'
import { Problem } from '#server/http/problem.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { parseJsonColumn } from '../entries/entry-tables.ts'
import { hasMedia } from '../media/attach-media.ts'
import { type ArchivedEntity, archivedEntities, archiveKeys, textColumns, toArchiveName } from './archive-columns.ts'
import {
  type ArchivedEntry,
  type ArchivedKeeper,
  type ArchivedMedia,
  type ArchivedPath,
  type ArchivedTopic,
  archivedEntry,
  archivedKeeper,
  archiveFormatName,
  archiveVersion,
  createImportedId,
  timestampSchema,
  toArchivedTopic,
} from './archive-format.ts'
import { archivedKeeperId, replaceLinkIds } from './archive-links.ts'
import { type ResolveId, readColumns } from './entry-from-archive.ts'
import { getFieldNote, getFileProblem, ImportNotes, maxFilesPerEntry, noteTexts } from './import-notes.ts'
import {
  type EntryColumns,
  type EntryPart,
  emptyPreview,
  extendSpan,
  fitsInMessage,
  type ImportOwner,
  type ImportPart,
  type ImportPlan,
  maxTitleLength,
  untitledKeeper,
} from './import-plan.ts'
import { type ForeignObject, toList, toNumber, toObject, toText } from './importers/foreign-values.ts'
import { createPathParts, createSoleParts } from './paths-and-sole.ts'
import { readBySchema, readInstant, toStorableText } from './read-by-schema.ts'
import { readJsonInZip } from './read-json.ts'
import { maxAliases, sliceTopics } from './slice-topics.ts'
import { describeEntry } from './to-moment-part.ts'
import type { ZipReader } from './zip-reader.ts'

const maxKeepers = 500
const maxTopicsPerEntry = 200
const maxIdLength = 200
const maxLabelLength = 60
const maxFileNameLength = 255
const maxAltLength = 1000
const mediaMimes: ReadonlySet<string> = new Set(Object.values(mediaTypes).flat())

/** @throws Problem 422 for a keeper.json without keepers */
export async function planKeeperArchive(zip: ZipReader, owner: ImportOwner): Promise<ImportPlan> {
  const notes = new ImportNotes()
  const plans = (await readKeepers(zip, owner, notes)).map((keeper) => planKeeper(zip, owner, keeper, notes))
  const preview = plans.reduce((total, { preview: current }) => {
    const times = [total.from, current.from, total.to, current.to].filter((time) => time !== null).sort()
    return {
      parts: [...total.parts, ...current.parts],
      entries: total.entries + current.entries,
      duplicates: 0,
      media: total.media + current.media,
      missingMedia: total.missingMedia + current.missingMedia,
      drafts: total.drafts + current.drafts,
      from: times[0] ?? null,
      to: times.at(-1) ?? null,
      notes: [],
    }
  }, emptyPreview)
  const parts = plans.flatMap((plan) => plan.parts)
  return {
    preview: { ...preview, ...notes.toPreview(plans.flatMap((plan) => plan.sentences)) },
    total: parts.length,
    parts: () => parts,
    keeperIds: plans.map(({ keeperId }) => keeperId),
  }
}

async function readKeepers(zip: ZipReader, { uploadedAt }: ImportOwner, notes: ImportNotes): Promise<ArchivedKeeper[]> {
  const archive = toObject(await readJsonInZip(zip, 'keeper.json'))
  if ((toNumber(archive?.version) ?? archiveVersion) > archiveVersion)
    throw new Problem('unprocessable', {
      message: 'This archive was made by a newer version of Keeper. Update this server first.',
    })
  const damagedField = findDamagedField(archive)
  if (damagedField)
    throw new Problem('unprocessable', {
      message: `keeper.json in this zip can’t be read: ${damagedField} isn’t valid.`,
    })
  const keepers = toList(archive?.keepers)
  if (keepers.length > maxKeepers)
    throw new Problem('unprocessable', { message: `This archive contains more than ${maxKeepers} keepers.` })
  const exportedAt = toIsoTime(readInstant(archive?.exportedAt) ?? uploadedAt)
  return keepers.flatMap((keeper, index) => {
    const label = `keeper ${index + 1}`
    const source = toObject(keeper)
    const parsed =
      source &&
      readBySchema(
        archivedKeeper,
        { ...source, id: toArchivedId(source.id, label) },
        {
          onLoss: (field) => notes.add(getFieldNote(field), toText(source.title)?.slice(0, maxLabelLength) ?? label),
          fallbacks: new Map([[timestampSchema, readTimes(source)[0] ?? exportedAt]]),
        },
      )
    if (!parsed) notes.add(noteTexts.notAnObject, label)
    return parsed ?? []
  })
}

function findDamagedField(archive: ForeignObject | undefined): string | undefined {
  if (!archive) return 'keeper.json'
  if (archive.format !== archiveFormatName) return 'format'
  return Array.isArray(archive.keepers) ? undefined : 'keepers'
}

/** IDs only link entries within the archive. A missing one is created. */
function toArchivedId(id: unknown, label: string): string {
  const text = toStorableText(toText(id) ?? '') || label
  return text.length <= maxIdLength ? text : createImportedId('archive', 'id', text)
}

/** The times of an entry in ISO format, best first. */
const readTimes = (entry: ForeignObject) =>
  ['createdAt', 'occurredAt', 'occurredOn', 'updatedAt', 'startedOn'].flatMap((field) => {
    const time = readInstant(entry[field])
    return time === undefined ? [] : toIsoTime(time)
  })

/** Columns of JSON are text, too. */
const mapTexts = (columns: EntryColumns, change: (text: string) => string): EntryColumns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
  )

interface KeeperPlan {
  preview: ImportPlan['preview']
  parts: ImportPart[]
  keeperId: string
  sentences: string[]
}

function planKeeper(zip: ZipReader, owner: ImportOwner, source: ArchivedKeeper, notes: ImportNotes): KeeperPlan {
  const target = { id: createImportedId(owner.jobId, 'keeper', source.id), owner_id: owner.personId }
  const createId = (kind: string, origin: string) => createImportedId(target.id, kind, origin)
  const updateLinks = (text: string) => replaceLinkIds(text, [archivedKeeperId, source.id], target.id, createId)
  const localIds = new Map<string, string>()
  const resolveId: ResolveId = (entity, origin) => localIds.get(`${entity} ${toArchivedId(origin, '')}`) ?? null
  const sentences: string[] = []
  const preview = { ...emptyPreview }
  const keeperTitle = getShortTitle(source)
  const { title, purpose, keeperType, memoryPattern, theme, createdAt, updatedAt, topics, mergedTopics } = source
  const keeper = { title, purpose, keeperType, memoryPattern, theme, createdAt, updatedAt }
  const parts: ImportPart[] = []
  const allTopics = [...topics]
  const topicNames = new Set(topics.map(({ name }) => toArchivedTopic(name).normalized))
  for (const { name, aliases } of [...topics, ...mergedTopics.filter((topic) => topic !== null)])
    if (aliases.length > maxAliases)
      sentences.push(
        `${toArchivedTopic(name).name}: only the first ${maxAliases} other names of this topic are imported.`,
      )
  const journeyPaths: { journeyId: string; paths: ArchivedPath[] }[] = []
  for (const entity of archivedEntities) {
    for (const [index, entry] of source[archiveKeys[entity]].entries()) {
      const positionLabel = `${archiveKeys[entity]}, entry ${index + 1}`
      const { timezone } = owner
      const parsed = readEntry({ entity, entry, positionLabel, keeperTitle, timezone, resolveId, notes })
      if (!parsed) continue
      const { archived, columns, label } = parsed
      const entryTopics = new Map((archived.topics ?? []).map((name) => [toArchivedTopic(name).normalized, name]))
      entryTopics.delete('')
      // An entry keeps its topic even if the archive's topic list doesn't contain it.
      for (const [normalized, name] of entryTopics) {
        if (!topicNames.has(normalized)) allTopics.push(createTopic(name, archived.createdAt))
        topicNames.add(normalized)
      }
      const media = limitFiles(archived.media ?? [], label, notes)
      countFiles(zip, preview, media, notes)
      const part: EntryPart = {
        kind: 'entry',
        keeper: target,
        entity,
        id: createId(entity, archived.id),
        columns: mapTexts(columns, updateLinks),
        entry: {
          id: archived.id,
          source: archived.source,
          createdAt: archived.createdAt,
          updatedAt: archived.updatedAt,
          media,
        },
        topicIds: [...entryTopics.keys()].slice(0, maxTopicsPerEntry).map((name) => createId('topic', name)),
      }
      if (!fitsInMessage(part)) {
        notes.add(noteTexts.largeEntry, label)
        continue
      }
      localIds.set(`${entity} ${archived.id}`, part.id)
      parts.push(part)
      if (entity === 'journey') journeyPaths.push({ journeyId: part.id, paths: archived.paths ?? [] })
      if (entity !== 'journey') preview.entries += 1
      if (entity === 'card' && columns.state === 'draft') preview.drafts += 1
      const occurredAt = typeof columns.occurred_at === 'number' ? toIsoTime(columns.occurred_at) : part.entry.createdAt
      extendSpan(preview, occurredAt)
    }
  }
  const slices = sliceTopics(target.id, { topics: allTopics, mergedTopics })
  parts.unshift(...slices.map((slice): ImportPart => ({ kind: 'keeper', target, keeper: { ...keeper, ...slice } })))
  // After the entries, because waypoints reference moments, and a SOLE the sources of its quotes.
  for (const { journeyId, paths } of journeyPaths)
    for (const part of createPathParts(target, journeyId, paths, resolveId)) parts.push(part)
  if (source.sole.length > 0) {
    for (const part of createSoleParts(target, source.sole, resolveId)) parts.push(part)
    if (source.sole.some(({ status }) => status === 'active' || status === 'draft')) preview.drafts += 1
  }
  for (const [position, archivedRun] of source.unfinished.entries()) {
    const name = archivedRun.name.slice(0, maxTitleLength)
    const files = archivedRun.files && limitFiles(archivedRun.files, name, notes)
    const run = files ? { ...archivedRun, files } : archivedRun
    const part: ImportPart = { kind: 'run', target, position, run }
    if (fitsInMessage(part)) {
      parts.push(part)
      countFiles(zip, preview, files ?? [], notes)
    } else sentences.push(`${name} is unfinished and too large, so it is left out.`)
  }
  const oversizedPart = parts.find((part) => part.kind !== 'entry' && !fitsInMessage(part))
  if (oversizedPart)
    throw new Problem('unprocessable', {
      message: `keeper.json in this zip can’t be read: one ${oversizedPart.kind} of ${keeperTitle} is too large.`,
    })
  preview.parts = [{ title: keeperTitle, entries: preview.entries }]
  const journeyCount = journeyPaths.length
  if (journeyCount > 0)
    sentences.push(`${keeperTitle}: ${journeyCount === 1 ? '1 journey is' : `${journeyCount} journeys are`} included.`)
  const runCount = source.unfinished.length
  if (runCount > 0)
    sentences.push(
      `${keeperTitle}: ${runCount === 1 ? '1 unfinished template is' : `${runCount} unfinished templates are`} included if the template exists here.`,
    )
  if (preview.drafts > 0)
    sentences.push(`${keeperTitle}: AI-written memories and the SOLE will wait for your approval.`)
  return { preview, parts, keeperId: target.id, sentences }
}

const createTopic = (name: string, createdAt: string): ArchivedTopic => ({
  name,
  color: 'ochre',
  note: '',
  pinned: false,
  aliases: [],
  createdAt,
  updatedAt: createdAt,
})

function countFiles(
  zip: ZipReader,
  preview: ImportPlan['preview'],
  files: readonly ArchivedMedia[],
  notes: ImportNotes,
): void {
  preview.media += files.length
  for (const { file, name } of files) {
    const problem = getFileProblem(zip, file)
    if (problem === 'missingFile') preview.missingMedia += 1
    else if (problem) notes.add(noteTexts[problem], name ?? basename(file))
  }
}

const getShortTitle = ({ title }: Pick<ArchivedKeeper, 'title'>) => title.slice(0, maxTitleLength) || untitledKeeper

interface EntryInput {
  entity: ArchivedEntity
  entry: unknown
  positionLabel: string
  keeperTitle: string
  timezone: string
  resolveId: ResolveId
  notes: ImportNotes
}

interface EntryReadResult {
  archived: Pick<ArchivedEntry, 'id' | 'source' | 'createdAt' | 'updatedAt' | 'topics' | 'media' | 'paths'>
  columns: EntryColumns
  label: string
}

/** Requires a readable date and some content. Other unusable values are left out, but the entry is kept. */
function readEntry({ entity, entry, positionLabel, keeperTitle, timezone, resolveId, notes }: EntryInput) {
  const source = toObject(entry)
  if (!source) {
    notes.add(noteTexts.notAnObject, positionLabel)
    return undefined
  }
  const [date] = readTimes(source)
  const text = source[toArchiveName(textColumns[entity])]
  const label = describeEntry({
    sourceId: '',
    group: keeperTitle,
    occurredAt: Date.parse(date ?? ''),
    title: toText(source.title ?? source.label)?.slice(0, maxLabelLength),
    text: typeof text === 'string' && !source.sealed ? text : '',
  })
  if (date === undefined) {
    notes.add(noteTexts.noDate, positionLabel)
    return undefined
  }
  // Added to `notes` only if the entry is imported: one that is left out gets a single note.
  const entryNotes = new ImportNotes()
  const archived = readBySchema(
    archivedEntry,
    { ...source, id: toArchivedId(source.id, positionLabel) },
    {
      onLoss: (field) => entryNotes.add(getFieldNote(field), label),
      fallbacks: new Map([[timestampSchema, date]]),
    },
  ) as EntryReadResult['archived']
  if (!hasMedia(entity)) delete archived.media
  const columns = readColumns(entity, source, {
    resolveId,
    notes: entryNotes,
    label,
    timezone,
    createdAt: Date.parse(archived.createdAt),
    updatedAt: Date.parse(archived.updatedAt),
  })
  // An import does not transcribe what was queued on the other server.
  if (entity === 'voice' && columns.transcript_status === 'queued') columns.transcript_status = 'none'
  if (isEmpty(entity, source, columns) && !archived.media?.length) {
    notes.add(noteTexts.empty, label)
    return undefined
  }
  notes.addAll(entryNotes)
  return { archived, columns, label } satisfies EntryReadResult
}

function isEmpty(entity: ArchivedEntity, source: ForeignObject, columns: EntryColumns): boolean {
  if (entity === 'source') return parseJsonColumn(columns.messages as StoredSourceMessage[]).length === 0
  const texts = [columns[textColumns[entity]], columns.transcript, source.title, source.label]
  return texts.every((text) => (toText(text) ?? '').trim() === '')
}

function limitFiles<T extends ArchivedMedia>(files: readonly T[], label: string, notes: ImportNotes): T[] {
  if (files.length > maxFilesPerEntry) notes.add(noteTexts.excessFile, label, files.length - maxFilesPerEntry)
  return files.slice(0, maxFilesPerEntry).map((file) => ({
    ...file,
    // An unknown type is detected from the bytes.
    mime: file.mime !== null && mediaMimes.has(file.mime) ? file.mime : null,
    name: file.name?.slice(0, maxFileNameLength) ?? null,
    alt: file.alt?.slice(0, maxAltLength) ?? null,
    width: toWholeNumber(file.width),
    height: toWholeNumber(file.height),
    durationMs: toWholeNumber(file.durationMs),
  }))
}

/** Invalid dimensions become `null`: a picture is shown without them. */
const toWholeNumber = (value: number | null) =>
  value !== null && Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : null
