import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import { mediaTypes } from '#contract/keepers/media.ts'
import { Problem } from '#server/http/problem.ts'
import { type ArchivedEntity, archivedEntities, archiveKeys } from './archive-columns.ts'
import {
  type Archive,
  type ArchivedEntry,
  type ArchivedKeeper,
  type ArchivedMedia,
  type ArchivedPath,
  type ArchivedRun,
  archive,
} from './archive-format.ts'
import { archivedTopic } from './archived-topic.ts'
import { assertStorable } from './assert-storable.ts'
import { columnsOf, type Here, UnreadableEntry } from './entry-from-archive.ts'
import {
  type EntryPart,
  emptyPreview,
  fitsAtOnce,
  type ImportFor,
  type ImportPart,
  type ImportPlan,
  type Into,
  longestTitle,
  type ReadEntry,
  shortNotes,
} from './import-plan.ts'
import { importedId } from './imported-id.ts'
import { jsonIn } from './json-in-zip.ts'
import { isInZip, mostFiles } from './media-in-zip.ts'
import { pathParts } from './paths-from-archive.ts'
import { maxAliases, sliceTopics } from './slice-topics.ts'
import { soleParts } from './sole-from-archive.ts'
import type { ZipReader } from './zip-reader.ts'

const mostKeepers = 500
const mostTopics = 200
const mediaMimes: ReadonlySet<string> = new Set(Object.values(mediaTypes).flat())

/** @throws Problem 422 for an unreadable keeper.json */
export async function planKeeperArchive(zip: ZipReader, wanted: ImportFor): Promise<ImportPlan> {
  const { keepers } = await readArchive(zip)
  const plans = keepers.map((keeper) => planKeeper(zip, wanted, keeper))
  const preview = plans.reduce((sum, { preview: one }) => {
    const times = [sum.from, one.from, sum.to, one.to].filter((time) => time !== null).sort()
    return {
      parts: [...sum.parts, ...one.parts],
      entries: sum.entries + one.entries,
      duplicates: 0,
      media: sum.media + one.media,
      missingMedia: sum.missingMedia + one.missingMedia,
      drafts: sum.drafts + one.drafts,
      from: times[0] ?? null,
      to: times.at(-1) ?? null,
      ...shortNotes([...sum.notes, ...one.notes], sum.moreNotes),
    }
  }, emptyPreview)
  return {
    preview,
    parts: plans.flatMap(({ parts }) => parts),
    keeperIds: plans.flatMap(({ keeperIds }) => keeperIds),
  }
}

async function readArchive(zip: ZipReader): Promise<Archive> {
  const given = await jsonIn(zip, 'keeper.json')
  const version = (given as { version?: unknown } | null)?.version
  if (typeof version === 'number' && version > 1)
    throw new Problem('unprocessable', {
      message: 'This archive was made by a newer version of Keeper. Update this server first.',
    })
  const parsed = archive.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'keeper.json'
    throw new Problem('unprocessable', { message: `keeper.json in this zip can't be read: ${where} isn't valid.` })
  }
  if (parsed.data.keepers.length > mostKeepers)
    throw new Problem('unprocessable', { message: `This archive contains more than ${mostKeepers} keepers.` })
  return parsed.data
}

function planKeeper(zip: ZipReader, { jobId, personId }: ImportFor, given: ArchivedKeeper): ImportPlan {
  const into = { id: importedId(jobId, 'keeper', given.id), owner_id: personId }
  const idOf = (kind: string, origin: string) => importedId(into.id, kind, origin)
  /** Ids read so far, so that nothing references a skipped entry. */
  const known = new Map<string, string>()
  const here: Here = (entity, origin) => known.get(`${entity} ${origin}`) ?? null
  const notes: string[] = []
  const preview = { ...emptyPreview, notes }
  const { title, purpose, keeperType, memoryPattern, theme, createdAt, updatedAt, topics, mergedTopics } = given
  const keeper = { title, purpose, keeperType, memoryPattern, theme, createdAt, updatedAt }
  assertStorable([keeper, topics, mergedTopics])
  const parts: ImportPart[] = sliceTopics(into.id, given).map((slice) => ({
    kind: 'keeper',
    into,
    keeper: { ...keeper, ...slice },
  }))
  for (const { name, aliases } of [...topics, ...mergedTopics])
    if (aliases.length > maxAliases)
      notes.push(`${archivedTopic(name).name}: only the first ${maxAliases} other names of this topic are imported.`)
  const withPaths: { journeyId: string; paths: ArchivedPath[] }[] = []
  for (const entity of archivedEntities) {
    for (const entry of given[archiveKeys[entity]]) {
      const part = readEntry({ into, entity, entry, id: idOf(entity, entry.id), here, notes })
      if (!part) continue
      known.set(`${entity} ${entry.id}`, part.id)
      parts.push(part)
      if (entity === 'journey') withPaths.push({ journeyId: part.id, paths: entry.paths ?? [] })
      // A keeper does not count its journeys as entries either.
      if (entity !== 'journey') preview.entries += 1
      if (entity === 'card' && part.columns.state === 'draft') preview.drafts += 1
      countFiles(zip, preview, part.entry.media)
      const at = String(entry.occurredAt ?? entry.createdAt)
      if (preview.from === null || at < preview.from) preview.from = at
      if (preview.to === null || at > preview.to) preview.to = at
    }
  }
  // Last, because waypoints reference moments, and a SOLE its quotes.
  for (const { journeyId, paths } of withPaths)
    for (const part of pathParts(into, journeyId, paths, here)) parts.push(part)
  if (given.sole.length > 0) {
    for (const part of soleParts(into, given.sole, here)) parts.push(part)
    if (given.sole.some(({ status }) => status === 'active' || status === 'draft')) preview.drafts += 1
  }
  for (const [position, archived] of given.unfinished.entries()) {
    const run = withFiles(archived, notes)
    const part: ImportPart = { kind: 'run', into, position, run }
    assertStorable(run)
    if (fitsAtOnce(part)) {
      parts.push(part)
      countFiles(zip, preview, run.files)
    } else notes.push(`${run.name.slice(0, longestTitle)} is unfinished and too large, so it is left out.`)
  }
  const tooLarge = parts.find((part) => part.kind !== 'entry' && !fitsAtOnce(part))
  if (tooLarge)
    throw new Problem('unprocessable', {
      message: `keeper.json in this zip can't be read: one ${tooLarge.kind} of ${shortTitle(given)} is too large.`,
    })
  preview.parts = [{ title: shortTitle(given), entries: preview.entries }]
  const journeys = withPaths.length
  if (journeys > 0)
    notes.push(`${shortTitle(given)}: ${journeys === 1 ? '1 journey is' : `${journeys} journeys are`} included.`)
  const runs = given.unfinished.length
  if (runs > 0)
    notes.push(
      `${shortTitle(given)}: ${runs === 1 ? '1 unfinished template is' : `${runs} unfinished templates are`} included if the template exists here.`,
    )
  if (preview.drafts > 0)
    notes.push(`${shortTitle(given)}: AI-written memories and the SOLE will wait for your approval.`)
  return { preview, parts, keeperIds: [into.id] }
}

function countFiles(zip: ZipReader, preview: ImportPlan['preview'], files: readonly ArchivedMedia[] = []): void {
  preview.media += files.length
  preview.missingMedia += files.filter((file) => !isInZip(zip, file)).length
}

const shortTitle = ({ title }: Pick<ArchivedKeeper, 'title'>) => title.slice(0, longestTitle)

interface Reading {
  into: Into
  entity: ArchivedEntity
  entry: ArchivedEntry
  id: string
  here: Here
  notes: string[]
}

/** Returns undefined and adds a note for an unreadable entry. */
function readEntry({ into, entity, entry, id, here, notes }: Reading): EntryPart | undefined {
  try {
    const topics = (entry.topics ?? []).slice(0, mostTopics)
    assertStorable(topics)
    const columns = columnsOf(entity, entry, here, notes)
    if (entity === 'card' && isOfAnAgent(columns)) columns.state = 'draft'
    // An import does not transcribe what was queued on the other server.
    if (entity === 'voice' && columns.transcript_status === 'queued') columns.transcript_status = 'none'
    const { source, createdAt, updatedAt } = entry
    assertStorable([entry.id, source])
    const part: EntryPart = {
      kind: 'entry',
      keeper: into,
      entity,
      id,
      entry: { id: entry.id, source, createdAt, updatedAt, media: mediaOf(entity, entry, notes) },
      columns,
      topicIds: topics.map((name) => importedId(into.id, 'topic', archivedTopic(name).folded)),
    }
    if (!fitsAtOnce(part)) throw new UnreadableEntry('it is too large')
    return part
  } catch (error) {
    if (!(error instanceof UnreadableEntry) && !(error instanceof Problem)) throw error
    notes.push(`${entity} ${entry.id} is left out: ${error.message}.`)
    return undefined
  }
}

function mediaOf(entity: ArchivedEntity, { id, media = [] }: ArchivedEntry, notes: string[]): ArchivedMedia[] {
  return entity === 'moment' || entity === 'voice' ? shownFiles(media, `${entity} ${id}`, notes) : []
}

function withFiles(run: ArchivedRun, notes: string[]): ArchivedRun {
  return run.files ? { ...run, files: shownFiles(run.files, run.name.slice(0, longestTitle), notes) } : run
}

function shownFiles<T extends ArchivedMedia>(files: readonly T[], whose: string, notes: string[]): T[] {
  const shown = files
    .filter(({ mime }) => mediaMimes.has(mime))
    .slice(0, mostFiles)
    .map((one) => ({
      ...one,
      name: one.name?.slice(0, 255) ?? null,
      alt: one.alt?.slice(0, 1000) ?? null,
      width: wholeNumber(one.width),
      height: wholeNumber(one.height),
      durationMs: wholeNumber(one.durationMs),
    }))
  assertStorable(shown)
  if (shown.length < files.length)
    notes.push(
      `${whose}: ${files.length - shown.length} of its files are left out, because there are too many or Keeper can't show them.`,
    )
  return shown
}

/** An approval on another server does not count here. */
function isOfAnAgent(columns: ReadEntry): boolean {
  const by = columns.reflection_agent_id
  return typeof by === 'string' && by !== '' && by !== defaultAgentId && by !== 'demo-agent'
}

/** Invalid dimensions become `null`: a picture is shown without them. */
const wholeNumber = (value: number | null) =>
  value !== null && Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : null
