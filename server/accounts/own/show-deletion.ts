import type { AccountDeletion } from '#contract/accounts/own-account.ts'
import type { Person } from '#server/accounts/person.ts'
import { isLastSuperAdmin } from '#server/administration/last-super-admin.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'

export async function showDeletion(services: Services, person: Person): Promise<AccountDeletion> {
  const { db } = services
  const { deletes_at } = await db
    .selectFrom('people')
    .select('deletes_at')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const domains = await db
    .selectFrom('domains')
    .select(({ fn, selectFrom }) => [
      'domains.id',
      'domains.name',
      selectFrom('domain_members')
        .select(fn.countAll<number>().as('count'))
        .whereRef('domain_members.domain_id', '=', 'domains.id')
        .as('members'),
    ])
    .where('owner_id', '=', person.id)
    .orderBy('domains.name')
    .orderBy('domains.id')
    .execute()
  const keepers = await db
    .selectFrom('keepers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const agents = await db
    .selectFrom('agents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', person.id)
    .executeTakeFirstOrThrow()
  return {
    deletesAt: toIsoTimeOrNull(deletes_at),
    domains: domains.map(({ id, name, members }) => ({ id, name, otherMembers: Number(members) })),
    counts: { keepers: Number(keepers.count), agents: Number(agents.count), domains: domains.length },
    lastSuperAdmin: await isLastSuperAdmin(services, person.id),
  }
}
