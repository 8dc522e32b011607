import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { truncate } from '#contract/truncate.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { createTopicLinks, resolveTopics } from '../topics/link-topics.ts'
import { getTags, maxTags } from './day-one-format.ts'
import type { ImportPart, ImportTarget } from './import-plan.ts'
import { createImportedId } from './imported-id.ts'
import { isInZip } from './media-in-zip.ts'
import { type Unpacking, unpackMedia } from './unpack-media.ts'

type DayOnePart = Extract<ImportPart, { kind: 'day-one' }>

const dayOne = 'day-one'

/** Includes deleted moments: an import does not bring them back. */
export async function findImportedIds({ db }: Services, keeper: ImportTarget): Promise<Set<string>> {
  const rows = await db.longRead<{ source_id: string | null }>(
    db.selectFrom('moments').select('source_id').where('keeper_id', '=', keeper.id).where('source_kind', '=', dayOne),
  )
  return new Set(rows.flatMap(({ source_id }) => source_id ?? []))
}

export async function createDayOneWrites(
  services: Services,
  unpacking: Unpacking,
  jobId: string,
  { into: keeper, entry, text, files: attachments }: DayOnePart,
): Promise<Write[]> {
  const id = createImportedId(jobId, 'moment', entry.uuid)
  const occurredAt = Date.parse(entry.creationDate)
  const timezone = entry.timeZone && isTimeZone(entry.timeZone) ? entry.timeZone : 'UTC'
  const topics = await resolveTopics(services, keeper, getTags(entry).slice(0, maxTags))
  const files: Write[] = []
  for (const [position, { mime, ...file }] of attachments.entries()) {
    if (!mime || !isInZip(unpacking.zip, file)) continue
    const target = {
      ...{ keeperId: keeper.id, ownerId: keeper.owner_id, entity: 'moment' as const, entityId: id, position },
      ...{ id: createImportedId(jobId, 'media', `${entry.uuid} ${position}`), createdAt: occurredAt },
    }
    files.push(
      ...(await unpackMedia(services, unpacking, { ...file, mime, sha256: null, name: null, alt: null }, target)),
    )
  }
  const { location, weather } = entry
  const condition = weather?.conditionsDescription ?? weather?.weatherCode ?? null
  const placeNames = [location?.placeName, location?.localityName, location?.country].filter(Boolean)
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
      local_date: getLocalDay(timezone, occurredAt),
      timezone,
      body: text,
      place:
        placeNames.length > 0
          ? json({
              name: truncate([...new Set(placeNames)].join(', '), 200),
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
  return [moment, ...files, ...createTopicLinks(services, keeper, { entity: 'moment', id, saidAt: occurredAt }, topics)]
}
