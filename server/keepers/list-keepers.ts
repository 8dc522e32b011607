import { sql } from 'kysely'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toKeepers } from './keeper-view.ts'

/** Oldest first, the sample last; `next_cursor` leads to earlier keepers. @throws Problem 400 for an invalid cursor */
export async function listKeepers(
  services: Services,
  person: Pick<Person, 'id'>,
  cursor?: string,
): Promise<Reply<Keeper[]>> {
  const sampleId = getSampleKeeperId(person.id)
  const reverseOrder: PageOrder = [
    [sql`case when id = ${sampleId} then 1 else 0 end`, 'desc'],
    [sql.ref('created_at'), 'desc'],
    [sql.ref('id'), 'desc'],
  ]
  const { rows, next_cursor } = await readPage(
    services.db.selectFrom('keepers').selectAll().where('owner_id', '=', person.id).where('deleted_at', 'is', null),
    {
      order: reverseOrder,
      after: parseCursor(cursor, [0, 0, '']),
      getPosition: ({ id, created_at }) => [id === sampleId ? 1 : 0, created_at, id],
    },
  )
  return new Reply(await toKeepers(services, rows.toReversed()), { extra: { next_cursor } })
}
