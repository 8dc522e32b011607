import { memberRoles } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import type { SeenDomain } from './list-people.ts'

export interface SharedThere {
  id: string
  domain_id: string
  title: string
  owner_id: string
}

const roleColumns = ['for_admin', 'for_user', 'for_friend', 'for_connection'] as const

/**
 * The journeys given to these domains, by themselves or with their keeper, as far as the caller may read them: the
 * owner of the domain and who shares see all of theirs, a member what is for their role, and who only manages the
 * platform's domains none.
 */
export async function sharedJourneys(
  { db }: Services,
  person: Pick<Person, 'id'>,
  domains: readonly Pick<SeenDomain, 'id' | 'role'>[],
): Promise<SharedThere[]> {
  const idsOf = (role: SeenDomain['role']) => domains.filter((domain) => domain.role === role).map(({ id }) => id)
  const seen = domains.filter(({ role }) => role !== null).map(({ id }) => id)
  if (seen.length === 0) return []
  const alone = db
    .selectFrom('domain_journeys')
    .select(['domain_id', 'owner_id', 'journey_id', ...roleColumns])
    .where('domain_id', 'in', seen)
  const withKeeper = db
    .selectFrom('domain_keepers')
    .innerJoin('journeys', 'journeys.keeper_id', 'domain_keepers.keeper_id')
    .select(['domain_keepers.domain_id', 'domain_keepers.owner_id', 'journeys.id as journey_id', ...roleColumns])
    .where('domain_keepers.domain_id', 'in', seen)
    .where('domain_keepers.with_journeys', '=', true)
  const owned = idsOf('owner')
  return db
    .selectFrom(alone.unionAll(withKeeper).as('shares'))
    .innerJoin('journeys', 'journeys.id', 'shares.journey_id')
    .innerJoin('keepers', 'keepers.id', 'journeys.keeper_id')
    .innerJoin('domains', 'domains.id', 'shares.domain_id')
    .leftJoin('domain_members as sharer', (join) =>
      join.onRef('sharer.domain_id', '=', 'shares.domain_id').onRef('sharer.person_id', '=', 'shares.owner_id'),
    )
    .select(['journeys.id', 'shares.domain_id', 'journeys.title', 'journeys.owner_id'])
    .distinct()
    .where('journeys.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('sharer.person_id', 'is not', null),
        where('domains.owner_id', '=', where.ref('shares.owner_id')),
      ]),
    )
    .where((where) =>
      where.or([
        where('shares.owner_id', '=', person.id),
        ...(owned.length > 0 ? [where('shares.domain_id', 'in', owned)] : []),
        ...memberRoles
          .map((role) => ({ column: `shares.for_${role}` as const, ids: idsOf(role) }))
          .filter(({ ids }) => ids.length > 0)
          .map(({ column, ids }) => where.and([where('shares.domain_id', 'in', ids), where(column, '=', true)])),
      ]),
    )
    .orderBy('journeys.title')
    .orderBy('journeys.id')
    .execute()
}
