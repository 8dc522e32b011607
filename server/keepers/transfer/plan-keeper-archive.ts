import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import { keeperThemes } from '#contract/keepers/keepers.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { assertKeepable } from '#server/http/request-body.ts'
import type { Services } from '#server/services.ts'
import { type ArchivedEntity, archivedEntities, archiveKeys } from './archive-columns.ts'
import { type Archive, type ArchivedEntry, type ArchivedKeeper, archive } from './archive-format.ts'
import { columnsOf, UnreadableEntry } from './entry-from-archive.ts'
import { emptyPreview, type ImportFor, type ImportPart, type ImportPlan } from './import-plan.ts'
import { importedId } from './imported-id.ts'
import { isInZip } from './media-from-zip.ts'
import { type EntryPart, entryPart, type ReadEntry } from './part-of-entry.ts'
import { pathWrites } from './paths-from-archive.ts'
import { soleWrites } from './sole-from-archive.ts'
import type { ZipReader } from './zip-reader.ts'

const mostJsonBytes = 400 * 1024 * 1024
const mostKeepers = 500
/** Of the first ones only, so that a preview stays readable. */
const mostNotes = 8

/** @throws Problem 422 for a keeper.json that cannot be read, in words */
export async function planKeeperArchive(services: Services, zip: ZipReader, wanted: ImportFor): Promise<ImportPlan> {
  const { keepers } = await readArchive(zip)
  const plans = keepers.map((keeper) => planKeeper(services, zip, wanted, keeper))
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
      notes: [...sum.notes, ...one.notes].slice(0, mostNotes),
    }
  }, emptyPreview)
  return {
    preview,
    parts: plans.flatMap(({ parts }) => parts),
    keeperIds: plans.flatMap(({ keeperIds }) => keeperIds),
  }
}

async function readArchive(zip: ZipReader): Promise<Archive> {
  const text = await zip.text('keeper.json', mostJsonBytes)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw new Problem('unprocessable', { message: 'keeper.json in this zip is no JSON.', cause: error })
  }
  const version = (given as { version?: unknown } | null)?.version
  if (typeof version === 'number' && version > 1)
    throw new Problem('unprocessable', {
      message: 'This archive was made by a newer Keeper. Bring this one up to date.',
    })
  const parsed = archive.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'keeper.json'
    throw new Problem('unprocessable', { message: `keeper.json in this zip cannot be read: ${where} does not fit.` })
  }
  if (parsed.data.keepers.length > mostKeepers)
    throw new Problem('unprocessable', { message: `This archive holds more than ${mostKeepers} keepers.` })
  return parsed.data
}

function planKeeper(services: Services, zip: ZipReader, wanted: ImportFor, given: ArchivedKeeper): ImportPlan {
  const { jobId, personId } = wanted
  const keeperId = importedId(jobId, 'keeper', given.id)
  const idOf = (kind: string, origin: string) => importedId(keeperId, kind, origin)
  /** What was read so far: nothing may name what is left out. */
  const known = new Map<string, string>()
  const here = (entity: ArchivedEntity, origin: string) => known.get(`${entity} ${origin}`) ?? null
  const notes: string[] = []
  const preview = { ...emptyPreview, notes }
  const parts: ImportPart[] = [{ writes: async () => keeperWrites(services, given, { keeperId, personId }) }]
  const hung: EntryPart[] = []
  for (const entity of archivedEntities) {
    for (const entry of given[archiveKeys[entity]]) {
      const read = readEntry(entity, entry, here, notes)
      if (!read) continue
      known.set(`${entity} ${entry.id}`, idOf(entity, entry.id))
      const part: EntryPart = {
        keeper: { id: keeperId, owner_id: personId },
        entity,
        id: idOf(entity, entry.id),
        entry,
        columns: read,
        topicIds: (entry.topics ?? []).map((name) => idOf('topic', foldedTopic(name))),
        mediaId: (position) => idOf('media', `${entity} ${entry.id} ${position}`),
      }
      parts.push(entryPart(services, zip, part))
      if (entity === 'journey') hung.push(part)
      // As a keeper counts its own.
      if (entity !== 'journey') preview.entries += 1
      if (entity === 'card' && part.columns.state === 'draft') preview.drafts += 1
      for (const media of entry.media ?? []) {
        preview.media += 1
        if (!isInZip(zip, media)) preview.missingMedia += 1
      }
      const at = String(entry.occurredAt ?? entry.createdAt)
      if (preview.from === null || at < preview.from) preview.from = at
      if (preview.to === null || at > preview.to) preview.to = at
    }
  }
  // Last, because waypoints name moments.
  for (const { id, entry, keeper } of hung)
    parts.push({ writes: async () => pathWrites(services, keeper, id, entry.paths ?? [], idOf, here) })
  if (given.sole.length > 0) {
    parts.push({ writes: async () => soleWrites(services, { keeperId, personId, idOf, here }, given.sole) })
    if (given.sole.some(({ status }) => status === 'active' || status === 'draft')) preview.drafts += 1
  }
  preview.parts = [{ title: given.title, entries: preview.entries }]
  if (hung.length > 0)
    notes.push(`${given.title}: ${hung.length === 1 ? 'one journey comes' : `${hung.length} journeys come`} along.`)
  if (preview.drafts > 0) notes.push(`${given.title}: memories an AI wrote, and the SOLE, wait for your approval.`)
  return { preview, parts, keeperIds: [keeperId] }
}

function readEntry(
  entity: ArchivedEntity,
  entry: ArchivedEntry,
  here: (entity: ArchivedEntity, origin: string) => string | null,
  notes: string[],
): ReadEntry | undefined {
  try {
    for (const name of entry.topics ?? []) assertKeepable(name)
    const columns = columnsOf(entity, entry, here)
    if (entity === 'card' && isOfAnAgent(columns)) columns.state = 'draft'
    // Nothing transcribes after an import what was waiting before.
    if (entity === 'voice' && columns.transcript_status === 'queued') columns.transcript_status = 'none'
    return columns
  } catch (error) {
    if (!(error instanceof UnreadableEntry) && !(error instanceof Problem)) throw error
    notes.push(`${entity} ${entry.id} is left out: ${error.message}.`)
    return undefined
  }
}

/** Whatever somebody else's Keeper says was approved: here nobody has approved it yet. */
function isOfAnAgent(columns: ReadEntry): boolean {
  const by = columns.reflection_agent_id
  return typeof by === 'string' && by !== '' && by !== defaultAgentId && by !== 'demo-agent'
}

function keeperWrites(
  services: Services,
  given: ArchivedKeeper,
  { keeperId, personId }: { keeperId: string; personId: string },
): Write[] {
  const { db } = services
  const type = given.keeperType.slice(0, 80) || 'custom'
  const made = {
    created_at: Date.parse(given.createdAt),
    updated_at: Date.parse(given.updatedAt),
    deleted_at: null,
  }
  assertKeepable([given.title, given.purpose, type, given.memoryPattern, given.topics])
  const keeper = db
    .insertInto('keepers')
    .values((from) => ({
      id: keeperId,
      owner_id: personId,
      title: given.title.slice(0, 120) || 'Imported keeper',
      purpose: given.purpose.slice(0, 2000),
      keeper_type: type,
      keeper_type_id: from
        .selectFrom('keeper_types')
        .select('keeper_types.id')
        .where('keeper_types.system', '=', true)
        .where('keeper_types.slug', '=', type.toLowerCase()),
      memory_pattern: given.memoryPattern.slice(0, 80) || 'SOLE',
      theme: (keeperThemes as readonly string[]).includes(given.theme) ? given.theme : 'keeper-classic',
      is_public: false,
      ...made,
    }))
    .onConflict((conflict) => conflict.doNothing())
  const topics = given.topics.flatMap((topic): Write[] => {
    const folded = foldedTopic(topic.name)
    if (!folded) return []
    const id = importedId(keeperId, 'topic', folded)
    const aliases = topic.aliases.filter((alias) => foldedTopic(alias) !== '')
    return [
      db
        .insertInto('topics')
        .values({
          id,
          keeper_id: keeperId,
          owner_id: personId,
          created_at: Date.parse(topic.createdAt),
          updated_at: Date.parse(topic.updatedAt),
          deleted_at: null,
          name: topic.name.slice(0, 80),
          name_folded: folded,
          color: topic.color,
          note: topic.note.slice(0, 5000),
          pinned: topic.pinned,
          merged_into: null,
        })
        .onConflict((conflict) => conflict.doNothing()),
      ...aliases.map((alias) =>
        db
          .insertInto('topic_aliases')
          .values({ keeper_id: keeperId, alias: alias.slice(0, 80), alias_folded: foldedTopic(alias), topic_id: id })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ]
  })
  return [keeper, ...topics]
}
