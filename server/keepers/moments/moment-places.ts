import { type RawBuilder, sql } from 'kysely'
import { compareStrings } from '#contract/compare-strings.ts'
import type { MomentPlaces } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Engine } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { isActiveIn, requireKeeperFor } from '../keeper-access.ts'

const maxPlaces = 1000
/** Limit before spots are merged by name, which no database normalizes completely. */
const maxSpots = 10_000
/** Decimals of a degree: about 100 meters. */
const coordinateDecimals = 3
const dayLength = '2026-11-20'.length

/** Groups by coordinates, else by name with ASCII case folding; {@link resolveSpots} merges equal names. */
export function createSpotSql(engine: Engine): RawBuilder<string> {
  const { name, lat, lng } = createPlaceColumns(engine)
  const binaryCollation = engine === 'postgres' ? sql` collate "C"` : sql``
  // Adding zero turns the minus zero, which SQLite prints, into zero.
  const createRoundedSql = (part: RawBuilder<number>) =>
    sql`cast(round(${part}, ${sql.lit(coordinateDecimals)}) + 0 as text)`
  return sql<string>`case when ${lat} is not null and ${lng} is not null
    then 'at ' || ${createRoundedSql(lat)} || ' ' || ${createRoundedSql(lng)} else 'in ' || lower(trim(${name})${binaryCollation}) end`
}

function createPlaceColumns(engine: Engine): {
  name: RawBuilder<string>
  lat: RawBuilder<number>
  lng: RawBuilder<number>
} {
  if (engine === 'sqlite')
    return {
      name: sql`json_extract(moments.place, '$.name')`,
      lat: sql`json_extract(moments.place, '$.lat')`,
      lng: sql`json_extract(moments.place, '$.lng')`,
    }
  return {
    name: sql`(moments.place ->> 'name')`,
    lat: sql`(moments.place ->> 'lat')::numeric`,
    lng: sql`(moments.place ->> 'lng')::numeric`,
  }
}

interface SpotRow {
  spot: string
  /** Day and name, such as “2026-11-20 Harbor”. */
  first_visit: string
  lat: number | string | null
  lng: number | string | null
  count: number
  last: string
}

/** Normalizes names in JavaScript, which is the same on both engines. */
const normalizeSpot = (spot: string) =>
  spot.startsWith('in ') ? `in ${spot.slice(3).normalize('NFC').trim().toLowerCase()}` : spot

export async function resolveSpots(services: Services, keeperId: string, spot: string): Promise<string[]> {
  if (!spot.startsWith('in ')) return [spot]
  const normalizedSpot = normalizeSpot(spot)
  const allSpots = await loadSpots(services, keeperId)
  return allSpots
    .map((row) => row.spot)
    .filter((otherSpot) => normalizeSpot(otherSpot) === normalizedSpot)
    .slice(0, maxPlaces)
}

async function loadSpots({ db }: Services, keeperId: string): Promise<SpotRow[]> {
  const { name, lat, lng } = createPlaceColumns(db.engine)
  const spot = createSpotSql(db.engine)
  return db.longRead<SpotRow>(
    db
      .selectFrom('moments')
      .select(({ fn }) => [
        spot.as('spot'),
        sql<string>`min(local_date || ' ' || ${name})`.as('first_visit'),
        sql<number>`avg(${lat})`.as('lat'),
        sql<number>`avg(${lng})`.as('lng'),
        fn.countAll<number>().as('count'),
        fn.max('local_date').as('last'),
      ])
      .where(isActiveIn(keeperId))
      .where('place', 'is not', null)
      .groupBy(spot)
      .orderBy('last', 'desc')
      .orderBy('spot')
      .limit(maxSpots + 1),
  )
}

function mergeSpots(spots: readonly SpotRow[]): SpotRow[] {
  const placeBySpot = new Map<string, SpotRow>()
  for (const spotRow of spots) {
    const spot = normalizeSpot(spotRow.spot)
    const mergedPlace = placeBySpot.get(spot)
    if (!mergedPlace) {
      placeBySpot.set(spot, { ...spotRow, spot, count: Number(spotRow.count) })
      continue
    }
    mergedPlace.count += Number(spotRow.count)
    if (spotRow.first_visit < mergedPlace.first_visit) mergedPlace.first_visit = spotRow.first_visit
  }
  return [...placeBySpot.values()]
}

/** Ordered and named by first visit; limited to the thousand most recent places. @throws Problem 404 */
export async function listPlaces(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
): Promise<MomentPlaces> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const spots = await loadSpots(services, keeper.id)
  const rows = mergeSpots(spots)
  const places = rows.slice(0, maxPlaces).map((row) => {
    const hasCoordinates = row.spot.startsWith('at ')
    return {
      spot: row.spot,
      name: row.first_visit.slice(dayLength + 1),
      lat: hasCoordinates ? Number(row.lat) : null,
      lng: hasCoordinates ? Number(row.lng) : null,
      moments: Number(row.count),
      first: row.first_visit.slice(0, dayLength),
      last: row.last,
    }
  })
  places.sort((a, b) => compareStrings(a.first, b.first) || compareStrings(a.spot, b.spot))
  return { places, isWhole: rows.length <= maxPlaces && spots.length <= maxSpots }
}
