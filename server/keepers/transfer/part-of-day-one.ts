import { isTimeZone } from '#contract/keepers/keeper-words.ts'
import { dayIn } from '#contract/keepers/lived-time.ts'
import { truncate } from '#contract/truncate.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { topicLinks, topicsMeant } from '../topics/link-topics.ts'
import { mostTags, tagsOf } from './day-one-format.ts'
import type { ImportPart, Into } from './import-plan.ts'
import { importedId } from './imported-id.ts'
import { type Unpacking, unpackMedia } from './media-from-zip.ts'
import { isInZip } from './media-in-zip.ts'

type DayOnePart = Extract<ImportPart, { kind: 'day-one' }>

const dayOne = 'day-one'

/** Includes deleted moments: an import does not bring them back. */
export async function importedBefore({ db }: Services, keeper: Into): Promise<Set<string>> {
  const rows = await db.longRead<{ source_id: string | null }>(
    db.selectFrom('moments').select('source_id').where('keeper_id', '=', keeper.id).where('source_kind', '=', dayOne),
  )
  return new Set(rows.flatMap(({ source_id }) => source_id ?? []))
}

export async function dayOneWrites(
  services: Services,
  unpacking: Unpacking,
  jobId: string,
  { into: keeper, entry, words, files: given }: DayOnePart,
): Promise<Write[]> {
  const id = importedId(jobId, 'moment', entry.uuid)
  const occurredAt = Date.parse(entry.creationDate)
  const timezone = entry.timeZone && isTimeZone(entry.timeZone) ? entry.timeZone : 'UTC'
  const topics = await topicsMeant(services, keeper, tagsOf(entry).slice(0, mostTags))
  const files: Write[] = []
  for (const [position, { mime, ...file }] of given.entries()) {
    if (!mime || !isInZip(unpacking.zip, file)) continue
    const shown = {
      ...{ keeperId: keeper.id, ownerId: keeper.owner_id, entity: 'moment' as const, entityId: id, position },
      ...{ id: importedId(jobId, 'media', `${entry.uuid} ${position}`), createdAt: occurredAt },
    }
    files.push(
      ...(await unpackMedia(services, unpacking, { ...file, mime, sha256: null, name: null, alt: null }, shown)),
    )
  }
  const { location, weather } = entry
  const condition = weather?.conditionsDescription ?? weather?.weatherCode ?? null
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
      body: words,
      place:
        placeName.length > 0
          ? json({
              name: truncate([...new Set(placeName)].join(', '), 200),
              lat: location?.latitude ?? null,
              lng: location?.longitude ?? null,
            })
          : null,
      weather:
        weather && ((weather.temperatureCelsius ?? null) !== null || condition)
          ? json({
              tempC: weather.temperatureCelsius ?? null,
              condition: condition === null ? null : truncate(condition, 80),
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
