import { type RawBuilder, sql } from 'kysely'
import type { MomentPlaces } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Engine } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'

const mostPlaces = 1000
/** Before merging by name, which no database normalizes completely. */
const mostSpots = 10_000
/** Decimals of a degree: about 100 meters. */
const sameSpot = 3

/** Groups by coordinates, else by name with ASCII case folding; {@link resolveSpots} merges equal names. */
export function spotOf(engine: Engine): RawBuilder<string> {
  const { name, lat, lng } = partsOf(engine)
  const plainly = engine === 'postgres' ? sql` collate "C"` : sql``
  // Adding zero turns the minus zero, which SQLite prints, into zero.
  const rounded = (part: RawBuilder<number>) => sql`cast(round(${part}, ${sql.lit(sameSpot)}) + 0 as text)`
  return sql<string>`case when ${lat} is not null and ${lng} is not null
    then 'at ' || ${rounded(lat)} || ' ' || ${rounded(lng)} else 'in ' || lower(trim(${name})${plainly}) end`
}

function partsOf(engine: Engine): { name: RawBuilder<string>; lat: RawBuilder<number>; lng: RawBuilder<number> } {
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

interface Found {
  spot: string
  first_name: string
  lat: number | string | null
  lng: number | string | null
  count: number
  last: string
}

/** Normalizes names in JavaScript, which is the same on both engines. */
const folded = (spot: string) =>
  spot.startsWith('in ') ? `in ${spot.slice(3).normalize('NFC').trim().toLowerCase()}` : spot

/** All database spots of the same place. */
export async function spotsMeant(services: Services, keeperId: string, spot: string): Promise<string[]> {
  if (!spot.startsWith('in ')) return [spot]
  const place = folded(spot)
  const all = await spotsIn(services, keeperId)
  return all
    .map((row) => row.spot)
    .filter((one) => folded(one) === place)
    .slice(0, mostPlaces)
}

/** The most recent ones beyond the limit. */
async function spotsIn({ db }: Services, keeperId: string): Promise<Found[]> {
  const { name, lat, lng } = partsOf(db.engine)
  const spot = spotOf(db.engine)
  // A long read, because it scans all moments with a place.
  return db.longRead<Found>(
    db
      .selectFrom('moments')
      .select(({ fn }) => [
        spot.as('spot'),
        sql<string>`min(local_date || ' ' || ${name})`.as('first_name'),
        sql<number>`avg(${lat})`.as('lat'),
        sql<number>`avg(${lng})`.as('lng'),
        fn.countAll<number>().as('count'),
        fn.max('local_date').as('last'),
      ])
      .where('keeper_id', '=', keeperId)
      .where('deleted_at', 'is', null)
      .where('place', 'is not', null)
      .groupBy(spot)
      .orderBy('last', 'desc')
      .orderBy('spot')
      .limit(mostSpots + 1),
  )
}

/** Merges equal places, most recent first. */
function placesOf(spots: readonly Found[]): Found[] {
  const places = new Map<string, Found>()
  for (const found of spots) {
    const spot = folded(found.spot)
    const place = places.get(spot)
    if (!place) {
      places.set(spot, { ...found, spot, count: Number(found.count) })
      continue
    }
    place.count += Number(found.count)
    if (found.first_name < place.first_name) place.first_name = found.first_name
  }
  return [...places.values()]
}

/** Ordered and named by first visit; limited to the thousand most recent places. @throws Problem 404 */
export async function momentPlaces(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
): Promise<MomentPlaces> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const spots = await spotsIn(services, keeper.id)
  const rows = placesOf(spots)
  const places = rows.slice(0, mostPlaces).map((row) => {
    const drawn = row.spot.startsWith('at ')
    return {
      spot: row.spot,
      name: row.first_name.slice(11),
      lat: drawn ? Number(row.lat) : null,
      lng: drawn ? Number(row.lng) : null,
      moments: Number(row.count),
      first: row.first_name.slice(0, 10),
      last: row.last,
    }
  })
  const inOrder = places.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : a.spot < b.spot ? -1 : 1))
  return { places: inOrder, isWhole: rows.length <= mostPlaces && spots.length <= mostSpots }
}
