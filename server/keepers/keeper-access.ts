import { type Selectable, sql } from 'kysely'
import { sampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

export type KeeperRow = Selectable<Schema['keepers']>
type Owner = Pick<Person, 'id'>

/** Ids that stand for one of the caller's own: the first one made, and the last. */
const first = '1'
const newest = 'new-keeper-id'

/**
 * A keeper of this person that is not in the bin. The ids `1` and `new-keeper-id` stand for their oldest and newest one;
 * the sample keeper for either only where there is no other.
 * @throws Problem 404 alike for what is not theirs and what is not there
 */
export async function requireKeeperFor(services: Services, person: Owner, id: string): Promise<KeeperRow> {
  const mine = services.db
    .selectFrom('keepers')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
  const direction = id === newest ? 'desc' : 'asc'
  const query =
    id === first || id === newest
      ? mine
          .orderBy(sql`case when id = ${sampleKeeperId(person.id)} then 1 else 0 end`)
          .orderBy('created_at', direction)
          .orderBy('id', direction)
          .limit(1)
      : mine.where('id', '=', id)
  const row = await query.executeTakeFirst()
  if (!row) throw keeperNotFound()
  return row
}

/**
 * The keeper something is created in: that of the address. Seed clients say it in the body as well.
 * @throws Problem 400 when the body names another one
 */
export async function requireKeeperToWriteIn(
  services: Services,
  person: Owner,
  id: string,
  inBody: string | undefined,
): Promise<KeeperRow> {
  const keeper = await requireKeeperFor(services, person, id)
  if (inBody !== undefined && inBody !== id && inBody !== keeper.id) {
    const message = 'The body names another keeper than the address. Leave it out, or send the same.'
    throw new Problem('bad-input', { message, fields: { keeperId: message } })
  }
  return keeper
}

export function keeperNotFound(): Problem {
  return new Problem('not-found', { message: 'Keeper not found' })
}
