import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import { mediaTypes } from '#contract/keepers/media.ts'
import { Problem } from '#server/http/problem.ts'
import { hasMedia } from '../media/attach-media.ts'
import { type ArchivedEntity, archivedEntities, archiveKeys } from './archive-columns.ts'
import {
  type Archive,
  type ArchivedEntry,
  type ArchivedKeeper,
  type ArchivedMedia,
  type ArchivedPath,
  type ArchivedRun,
  archiveSchema,
} from './archive-format.ts'
import { toArchivedTopic } from './archived-topic.ts'
import { assertStorable } from './assert-storable.ts'
import { type ResolveId, readColumns, UnreadableEntry } from './entry-from-archive.ts'
import {
  type EntryColumns,
  type EntryPart,
  emptyPreview,
  fitsInMessage,
  type ImportOwner,
  type ImportPart,
  type ImportPlan,
  type ImportTarget,
  limitNotes,
  maxTitleLength,
} from './import-plan.ts'
import { createImportedId } from './imported-id.ts'
import { isInZip, maxFilesPerEntry } from './media-in-zip.ts'
import { createPathParts } from './paths-from-archive.ts'
import { readJsonInZip } from './read-json-in-zip.ts'
import { maxAliases, sliceTopics } from './slice-topics.ts'
import { createSoleParts } from './sole-from-archive.ts'
import type { ZipReader } from './zip-reader.ts'

const maxKeepers = 500
const maxTopicsPerEntry = 200
const mediaMimes: ReadonlySet<string> = new Set(Object.values(mediaTypes).flat())

/** @throws Problem 422 for an unreadable keeper.json */
export async function planKeeperArchive(zip: ZipReader, owner: ImportOwner): Promise<ImportPlan> {
  const { keepers } = await readArchive(zip)
  const plans = keepers.map((keeper) => planKeeper(zip, owner, keeper))
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
      ...limitNotes([...total.notes, ...current.notes], total.moreNotes),
    }
  }, emptyPreview)
  const parts = plans.flatMap((plan) => plan.parts)
  return { preview, total: parts.length, parts: () => parts, keeperIds: plans.map(({ keeperId }) => keeperId) }
}

async function readArchive(zip: ZipReader): Promise<Archive> {
  const json = await readJsonInZip(zip, 'keeper.json')
  const version = (json as { version?: unknown } | null)?.version
  if (typeof version === 'number' && version > 1)
    throw new Problem('unprocessable', {
      message: 'This archive was made by a newer version of Keeper. Update this server first.',
    })
  const parsed = archiveSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.join('.') || 'keeper.json'
    throw new Problem('unprocessable', { message: `keeper.json in this zip can’t be read: ${path} isn’t valid.` })
  }
  if (parsed.data.keepers.length > maxKeepers)
    throw new Problem('unprocessable', { message: `This archive contains more than ${maxKeepers} keepers.` })
  return parsed.data
}

interface KeeperPlan {
  preview: ImportPlan['preview']
  parts: ImportPart[]
  keeperId: string
}

function planKeeper(zip: ZipReader, { jobId, personId }: ImportOwner, source: ArchivedKeeper): KeeperPlan {
  const target = { id: createImportedId(jobId, 'keeper', source.id), owner_id: personId }
  const createId = (kind: string, origin: string) => createImportedId(target.id, kind, origin)
  const localIds = new Map<string, string>()
  const resolveId: ResolveId = (entity, origin) => localIds.get(`${entity} ${origin}`) ?? null
  const notes: string[] = []
  const preview = { ...emptyPreview, notes }
  const { title, purpose, keeperType, memoryPattern, theme, createdAt, updatedAt, topics, mergedTopics } = source
  const keeper = { title, purpose, keeperType, memoryPattern, theme, createdAt, updatedAt }
  assertStorable([keeper, topics, mergedTopics])
  const parts: ImportPart[] = sliceTopics(target.id, source).map((slice) => ({
    kind: 'keeper',
    into: target,
    keeper: { ...keeper, ...slice },
  }))
  for (const { name, aliases } of [...topics, ...mergedTopics])
    if (aliases.length > maxAliases)
      notes.push(`${toArchivedTopic(name).name}: only the first ${maxAliases} other names of this topic are imported.`)
  const journeyPaths: { journeyId: string; paths: ArchivedPath[] }[] = []
  for (const entity of archivedEntities) {
    for (const entry of source[archiveKeys[entity]]) {
      const part = readEntry({ into: target, entity, entry, id: createId(entity, entry.id), resolveId, notes })
      if (!part) continue
      localIds.set(`${entity} ${entry.id}`, part.id)
      parts.push(part)
      if (entity === 'journey') journeyPaths.push({ journeyId: part.id, paths: entry.paths ?? [] })
      if (entity !== 'journey') preview.entries += 1
      if (entity === 'card' && part.columns.state === 'draft') preview.drafts += 1
      countFiles(zip, preview, part.entry.media)
      const occurredAt = String(entry.occurredAt ?? entry.createdAt)
      if (preview.from === null || occurredAt < preview.from) preview.from = occurredAt
      if (preview.to === null || occurredAt > preview.to) preview.to = occurredAt
    }
  }
  // Last, because waypoints reference moments, and a SOLE its quotes.
  for (const { journeyId, paths } of journeyPaths)
    for (const part of createPathParts(target, journeyId, paths, resolveId)) parts.push(part)
  if (source.sole.length > 0) {
    for (const part of createSoleParts(target, source.sole, resolveId)) parts.push(part)
    if (source.sole.some(({ status }) => status === 'active' || status === 'draft')) preview.drafts += 1
  }
  for (const [position, archivedRun] of source.unfinished.entries()) {
    const run = limitRunFiles(archivedRun, notes)
    const part: ImportPart = { kind: 'run', into: target, position, run }
    assertStorable(run)
    if (fitsInMessage(part)) {
      parts.push(part)
      countFiles(zip, preview, run.files)
    } else notes.push(`${run.name.slice(0, maxTitleLength)} is unfinished and too large, so it is left out.`)
  }
  const oversizedPart = parts.find((part) => part.kind !== 'entry' && !fitsInMessage(part))
  if (oversizedPart)
    throw new Problem('unprocessable', {
      message: `keeper.json in this zip can’t be read: one ${oversizedPart.kind} of ${getShortTitle(source)} is too large.`,
    })
  preview.parts = [{ title: getShortTitle(source), entries: preview.entries }]
  const journeyCount = journeyPaths.length
  if (journeyCount > 0)
    notes.push(
      `${getShortTitle(source)}: ${journeyCount === 1 ? '1 journey is' : `${journeyCount} journeys are`} included.`,
    )
  const runCount = source.unfinished.length
  if (runCount > 0)
    notes.push(
      `${getShortTitle(source)}: ${runCount === 1 ? '1 unfinished template is' : `${runCount} unfinished templates are`} included if the template exists here.`,
    )
  if (preview.drafts > 0)
    notes.push(`${getShortTitle(source)}: AI-written memories and the SOLE will wait for your approval.`)
  return { preview, parts, keeperId: target.id }
}

function countFiles(zip: ZipReader, preview: ImportPlan['preview'], files: readonly ArchivedMedia[] = []): void {
  preview.media += files.length
  preview.missingMedia += files.filter((file) => !isInZip(zip, file)).length
}

const getShortTitle = ({ title }: Pick<ArchivedKeeper, 'title'>) => title.slice(0, maxTitleLength)

interface EntryInput {
  into: ImportTarget
  entity: ArchivedEntity
  entry: ArchivedEntry
  id: string
  resolveId: ResolveId
  notes: string[]
}

function readEntry({ into: target, entity, entry, id, resolveId, notes }: EntryInput): EntryPart | undefined {
  try {
    const topics = (entry.topics ?? []).slice(0, maxTopicsPerEntry)
    assertStorable(topics)
    const columns = readColumns(entity, entry, resolveId, notes)
    if (entity === 'card' && isWrittenByAgent(columns)) columns.state = 'draft'
    // An import does not transcribe what was queued on the other server.
    if (entity === 'voice' && columns.transcript_status === 'queued') columns.transcript_status = 'none'
    const { source, createdAt, updatedAt } = entry
    assertStorable([entry.id, source])
    const part: EntryPart = {
      kind: 'entry',
      keeper: target,
      entity,
      id,
      entry: { id: entry.id, source, createdAt, updatedAt, media: selectMedia(entity, entry, notes) },
      columns,
      topicIds: topics.map((name) => createImportedId(target.id, 'topic', toArchivedTopic(name).normalized)),
    }
    if (!fitsInMessage(part)) throw new UnreadableEntry('it is too large')
    return part
  } catch (error) {
    if (!(error instanceof UnreadableEntry) && !(error instanceof Problem)) throw error
    notes.push(`${entity} ${entry.id} is left out: ${error.message}.`)
    return undefined
  }
}

function selectMedia(entity: ArchivedEntity, { id, media = [] }: ArchivedEntry, notes: string[]): ArchivedMedia[] {
  return hasMedia(entity) ? selectSupportedFiles(media, `${entity} ${id}`, notes) : []
}

function limitRunFiles(run: ArchivedRun, notes: string[]): ArchivedRun {
  return run.files ? { ...run, files: selectSupportedFiles(run.files, run.name.slice(0, maxTitleLength), notes) } : run
}

function selectSupportedFiles<T extends ArchivedMedia>(files: readonly T[], label: string, notes: string[]): T[] {
  const supported = files
    .filter(({ mime }) => mediaMimes.has(mime))
    .slice(0, maxFilesPerEntry)
    .map((file) => ({
      ...file,
      name: file.name?.slice(0, 255) ?? null,
      alt: file.alt?.slice(0, 1000) ?? null,
      width: toWholeNumber(file.width),
      height: toWholeNumber(file.height),
      durationMs: toWholeNumber(file.durationMs),
    }))
  assertStorable(supported)
  if (supported.length < files.length)
    notes.push(
      `${label}: ${files.length - supported.length} of its files are left out, because there are too many or Keeper can’t show them.`,
    )
  return supported
}

/** An approval on another server does not count here. */
function isWrittenByAgent(columns: EntryColumns): boolean {
  const agentId = columns.reflection_agent_id
  return typeof agentId === 'string' && agentId !== '' && agentId !== defaultAgentId && agentId !== 'demo-agent'
}

/** Invalid dimensions become `null`: a picture is shown without them. */
const toWholeNumber = (value: number | null) =>
  value !== null && Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : null
