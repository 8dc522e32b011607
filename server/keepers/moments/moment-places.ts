import { type RawBuilder, sql } from 'kysely'
import type { MomentPlaces } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Engine } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'

const mostPlaces = 1000
/** Decimals of a degree: about 100 metres. */
const sameSpot = 3

/**
 * Where a moment was lived, as `moment-places` tells one place from another: by its coordinates where it has both, else by
 * its name.
 */
export function spotOf(engine: Engine): RawBuilder<string> {
  const { name, lat, lng } = partsOf(engine)
  // With a zero added, for what lies just beside the equator rounds to the minus zero that SQLite writes as such.
  const rounded = (part: RawBuilder<number>) => sql`cast(round(${part}, ${sql.lit(sameSpot)}) + 0 as text)`
  return sql<string>`case when ${lat} is not null and ${lng} is not null
    then 'at ' || ${rounded(lat)} || ' ' || ${rounded(lng)} else 'in ' || lower(trim(${name})) end`
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

/**
 * The places of a keeper's moments in the order of the first visit, called as on that day; of more than a thousand those one
 * was at last.
 * @throws Problem 404
 */
export async function momentPlaces(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
): Promise<MomentPlaces> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { name, lat, lng } = partsOf(db.engine)
  const spot = spotOf(db.engine)
  // Every moment that names a place is looked at.
  const rows = await db.longRead<Found>(
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
      .where('keeper_id', '=', keeper.id)
      .where('deleted_at', 'is', null)
      .where('place', 'is not', null)
      .groupBy(spot)
      .orderBy('last', 'desc')
      .orderBy('spot')
      .limit(mostPlaces + 1),
  )
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
  return { places: inOrder, isWhole: rows.length <= mostPlaces }
}
