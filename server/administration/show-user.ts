import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import type { Person } from '#server/accounts/person.ts'
import { sessionsOf } from '#server/accounts/sessions.ts'
import { domainsOf } from '#server/domains/domains-of.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import { mayActOn } from './account-access.ts'
import { accountNotFound } from './grant-role.ts'
import { isLastSuperAdmin } from './last-super-admin.ts'
import { columnsOfUser, userView } from './list-users.ts'
import { rolesOf } from './people-with-roles.ts'

const runDays = 30

/** Details and counts of an account, without any content. @throws Problem 404 */
export async function showUser(services: Services, person: Person, id: string): Promise<PlatformUserDetails> {
  const { db } = services
  const row = await db
    .selectFrom('people')
    .select([...columnsOfUser, 'people.nickname', 'people.deletes_at'])
    .where('people.id', '=', id)
    .executeTakeFirst()
  if (!row) throw accountNotFound()
  const roles = (await rolesOf(services, [id])).get(id) ?? []
  const keys = await db
    .selectFrom('provider_keys')
    .select(['provider', 'masked'])
    .where('owner', '=', id)
    .orderBy('provider')
    .execute()
  const domains = await domainsOf(services, row)
  return {
    ...userView(row, roles),
    nickname: row.nickname,
    deletesAt: isoTimeOrNull(row.deletes_at),
    domains: domains.flatMap(({ id, name, slug, permissions: [permission] }) =>
      permission ? [{ id, name, slug, role: permission.role }] : [],
    ),
    counts: { ...(await countOf(services, id)), domains: domains.length },
    sessions: await sessionsOf(services, id, person.sessionId),
    keys,
    mayAct: mayActOn(person, { id, roles }),
    lastSuperAdmin: await isLastSuperAdmin(services, id),
  }
}

async function countOf({ db, now }: Services, id: string) {
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
      ...(['runs', 'errors'] as const).map((counted) =>
        select
          .selectFrom('runs')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .where('person_id', '=', id)
          .where('created_at', '>=', since)
          .$if(counted === 'errors', (runs) => runs.where('status', '=', 'error'))
          .as(counted),
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
