import { isTimeZone } from '#contract/keepers/keeper-words.ts'
import { dayIn } from '#contract/keepers/lived-time.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import { json } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { assertKeepable } from '#server/http/request-body.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { topicLinks, topicsMeant } from '../topics/link-topics.ts'
import { type DayOneEntry, type DayOneFile, dayOneEntry, dayOneJournal, filesOf, wordsOf } from './day-one-format.ts'
import { emptyPreview, type ImportFor, type ImportPart, type ImportPlan } from './import-plan.ts'
import { importedId } from './imported-id.ts'
import { isInZip, mediaFromZip } from './media-from-zip.ts'
import type { ZipReader } from './zip-reader.ts'

const mostJsonBytes = 400 * 1024 * 1024
const longestBody = 200_000
const dayOne = 'day-one'

type Keeper = Pick<KeeperRow, 'id' | 'owner_id'>

/** The names of journals in a Day One export: JSON files at its root. */
export function journalsIn(zip: ZipReader): string[] {
  return zip.names.filter((name) => /^[^/]+\.json$/i.test(name) && name !== 'keeper.json').sort()
}

/**
 * What a Day One export holds, and how each of its entries becomes a moment. Without a keeper nothing is known to be
 * there already.
 * @throws Problem 422 when no journal in it can be read
 */
export async function planDayOne(
  services: Services,
  zip: ZipReader,
  wanted: ImportFor,
  keeper: Keeper | undefined,
): Promise<ImportPlan> {
  const journals = []
  for (const name of journalsIn(zip)) journals.push(await readJournal(zip, name))
  if (journals.length === 0) throw new Problem('unprocessable', { message: 'This zip holds no journal of Day One.' })
  const there = keeper ? await importedBefore(services, keeper) : new Set<string>()
  const preview = { ...emptyPreview, parts: journals.map(({ title, entries }) => ({ title, entries: entries.length })) }
  const parts: ImportPart[] = []
  const seen = new Set<string>()
  const strange = journals.reduce((sum, { unreadable }) => sum + unreadable, 0)
  const unshown = new Set<string>()
  for (const entry of journals.flatMap(({ entries }) => entries)) {
    preview.entries += 1
    if (there.has(entry.uuid) || seen.has(entry.uuid)) {
      preview.duplicates += 1
      continue
    }
    seen.add(entry.uuid)
    const files = filesOf(entry)
    preview.media += files.length
    preview.missingMedia += files.filter((file) => !isInZip(zip, file)).length
    for (const { file, mime } of files) if (!mime) unshown.add(file.replace(/^.*\./, ''))
    const at = new Date(entry.creationDate).toISOString()
    if (preview.from === null || at < preview.from) preview.from = at
    if (preview.to === null || at > preview.to) preview.to = at
    if (keeper) parts.push({ writes: () => momentWrites(services, zip, wanted, keeper, entry, files) })
  }
  if (strange > 0) preview.notes = [...preview.notes, `${strange} entries cannot be read and are left out.`]
  if (unshown.size > 0)
    preview.notes = [...preview.notes, `Files of these kinds are left out: ${[...unshown].sort().join(', ')}.`]
  return { preview, parts, keeperIds: keeper ? [keeper.id] : [] }
}

async function readJournal(zip: ZipReader, name: string) {
  const title = name.replace(/\.json$/i, '')
  let given: unknown
  try {
    given = JSON.parse(await zip.text(name, mostJsonBytes))
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('unprocessable', { message: `${name} in this zip is no JSON.`, cause: error })
  }
  const journal = dayOneJournal.safeParse(given)
  if (!journal.success) throw new Problem('unprocessable', { message: `${name} in this zip is no journal of Day One.` })
  const read = journal.data.entries.map((entry) => dayOneEntry.safeParse(entry))
  const entries = read.flatMap((one) => (one.success && isKeepable(one.data) ? [one.data] : []))
  return { title, entries, unreadable: read.length - entries.length }
}

function isKeepable(entry: DayOneEntry): boolean {
  try {
    assertKeepable(entry)
    return wordsOf(entry) !== '' || filesOf(entry).length > 0
  } catch {
    return false
  }
}

/** Also those that lie in the bin: an import does not bring them back. */
async function importedBefore({ db }: Services, keeper: Keeper): Promise<Set<string>> {
  const rows = await db.longRead<{ source_id: string | null }>(
    db.selectFrom('moments').select('source_id').where('keeper_id', '=', keeper.id).where('source_kind', '=', dayOne),
  )
  return new Set(rows.flatMap(({ source_id }) => source_id ?? []))
}

async function momentWrites(
  services: Services,
  zip: ZipReader,
  { jobId }: ImportFor,
  keeper: Keeper,
  entry: DayOneEntry,
  given: DayOneFile[],
) {
  const id = importedId(jobId, 'moment', entry.uuid)
  const occurredAt = Date.parse(entry.creationDate)
  const timezone = entry.timeZone && isTimeZone(entry.timeZone) ? entry.timeZone : 'UTC'
  const topics = await topicsMeant(services, keeper, tagsOf(entry))
  const files = []
  for (const [position, { mime, ...file }] of given.entries()) {
    if (!mime || !isInZip(zip, file)) continue
    const shown = {
      ...{ keeperId: keeper.id, ownerId: keeper.owner_id, entity: 'moment' as const, entityId: id, position },
      ...{ id: importedId(jobId, 'media', `${entry.uuid} ${position}`), createdAt: occurredAt },
    }
    files.push(...(await mediaFromZip(services, zip, { ...file, mime, sha256: null, name: null, alt: null }, shown)))
  }
  const { location, weather } = entry
  const placeName = [location?.placeName, location?.localityName, location?.country].filter(Boolean)
  const moment = services.db
    .insertInto('moments')
    .values({
      id,
      keeper_id: keeper.id,
      owner_id: keeper.owner_id,
      created_at: occurredAt,
      updated_at: entry.modifiedDate ? Date.parse(entry.modifiedDate) : occurredAt,
      deleted_at: null,
      occurred_at: occurredAt,
      local_date: dayIn(timezone, occurredAt),
      timezone,
      body: wordsOf(entry).slice(0, longestBody).toWellFormed(),
      place:
        placeName.length > 0
          ? json({
              name: [...new Set(placeName)].join(', ').slice(0, 200),
              lat: location?.latitude ?? null,
              lng: location?.longitude ?? null,
            })
          : null,
      weather:
        weather && (weather.temperatureCelsius ?? weather.conditionsDescription ?? weather.weatherCode)
          ? json({
              tempC: weather.temperatureCelsius ?? null,
              condition: (weather.conditionsDescription ?? weather.weatherCode ?? null)?.slice(0, 80) ?? null,
              source: 'Day One',
            })
          : null,
      pinned: Boolean(entry.starred || entry.pinned || entry.isPinned),
      ai_visible: true,
      source_kind: dayOne,
      source_id: entry.uuid,
    })
    .onConflict((conflict) => conflict.doNothing())
  return [moment, ...files, ...topicLinks(services, keeper, { entity: 'moment', id, saidAt: occurredAt }, topics)]
}

/** Lower-cased, as Day One's tags are one word to their person in any case. */
function tagsOf({ tags }: DayOneEntry): string[] {
  return [...new Set((tags ?? []).map((tag) => foldedTopic(tag).slice(0, 80)))].filter(Boolean).slice(0, 30)
}
