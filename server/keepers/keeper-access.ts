import { type Selectable, sql } from 'kysely'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

export type KeeperRow = Selectable<Schema['keepers']>
type Owner = Pick<Person, 'id'>

const firstAlias = '1'
const newestAlias = 'new-keeper-id'

/** The aliases mean the sample keeper only if there is no other. @throws Problem 404 */
export async function requireKeeperFor(services: Services, person: Owner, id: string): Promise<KeeperRow> {
  const ownKeepers = services.db
    .selectFrom('keepers')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
  const direction = id === newestAlias ? 'desc' : 'asc'
  const query =
    id === firstAlias || id === newestAlias
      ? ownKeepers
          .orderBy(sql`case when id = ${getSampleKeeperId(person.id)} then 1 else 0 end`)
          .orderBy('created_at', direction)
          .orderBy('id', direction)
          .limit(1)
      : ownKeepers.where('id', '=', id)
  const row = await query.executeTakeFirst()
  if (!row) throw createKeeperNotFound()
  return row
}

/** Seed clients repeat the keeper id in the body. @throws Problem 400 when it differs */
export async function requireKeeperToWriteIn(
  services: Services,
  person: Owner,
  id: string,
  bodyKeeperId: string | undefined,
): Promise<KeeperRow> {
  const keeper = await requireKeeperFor(services, person, id)
  if (bodyKeeperId !== undefined && bodyKeeperId !== id && bodyKeeperId !== keeper.id) {
    const message = 'The body and the address name different keepers. Send the same keeper, or omit it from the body.'
    throw new Problem('bad-input', { message, fields: { keeperId: message } })
  }
  return keeper
}

export function createKeeperNotFound(): Problem {
  return new Problem('not-found', { message: 'Keeper not found' })
}
