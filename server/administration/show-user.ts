import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import type { Person } from '#server/accounts/person.ts'
import { listSessions } from '#server/accounts/sessions.ts'
import { listDomains } from '#server/domains/list-domains.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { dayMs } from '#server/values/time-units.ts'
import { canActOn } from './account-access.ts'
import { accountNotFound } from './grant-role.ts'
import { isLastSuperAdmin } from './last-super-admin.ts'
import { toPlatformUser, userColumns } from './list-users.ts'
import { getRolesByPerson } from './people-with-roles.ts'

const runDays = 30

/** Details and counts of an account, without any content. @throws Problem 404 */
export async function showUser(services: Services, person: Person, id: string): Promise<PlatformUserDetails> {
  const { db } = services
  const row = await db
    .selectFrom('people')
    .select([...userColumns, 'people.nickname', 'people.deletes_at'])
    .where('people.id', '=', id)
    .executeTakeFirst()
  if (!row) throw accountNotFound()
  const roles = (await getRolesByPerson(services, [id])).get(id) ?? []
  const keys = await db
    .selectFrom('provider_keys')
    .select(['provider', 'masked'])
    .where('owner', '=', id)
    .orderBy('provider')
    .execute()
  const domains = await listDomains(services, row)
  return {
    ...toPlatformUser(row, roles),
    nickname: row.nickname,
    deletesAt: toIsoTimeOrNull(row.deletes_at),
    domains: domains.flatMap(({ id, name, slug, permissions: [permission] }) =>
      permission ? [{ id, name, slug, role: permission.role }] : [],
    ),
    counts: { ...(await countEntities(services, id)), domains: domains.length },
    sessions: await listSessions(services, id, person.sessionId),
    keys,
    mayAct: canActOn(person, { id, roles }),
    lastSuperAdmin: await isLastSuperAdmin(services, id),
  }
}

async function countEntities({ db, now }: Services, id: string) {
  const since = now().getTime() - runDays * dayMs
  const [row] = await db.longRead(
    db.selectNoFrom((select) => [
      select
        .selectFrom('keepers')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('owner_id', '=', id)
        .where('deleted_at', 'is', null)
        .as('keepers'),
      select
        .selectFrom('agents')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('owner_id', '=', id)
        .as('agents'),
      select
        .selectFrom('boards')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('owner_id', '=', id)
        .where('deleted_at', 'is', null)
        .as('boards'),
      ...(['runs', 'errors'] as const).map((runCount) =>
        select
          .selectFrom('runs')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .where('person_id', '=', id)
          .where('created_at', '>=', since)
          .$if(runCount === 'errors', (runs) => runs.where('status', '=', 'error'))
          .as(runCount),
      ),
    ]),
  )
  return {
    keepers: Number(row?.keepers),
    agents: Number(row?.agents),
    boards: Number(row?.boards),
    runs: Number(row?.runs),
    errors: Number(row?.errors),
  }
}
