import { mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { keeperNotFound } from '../keeper-access.ts'
import { keepersToRead, loneJourneysToRead } from './readable-shares.ts'
import { journeyNotFound } from './shared-journey.ts'
import { tellDomain } from './tell-domain.ts'

/**
 * Takes a keeper back: whoever gave it may, and who manages the members.
 * @throws Problem 404 for what the caller may not read, 403 for a member who only reads it
 */
export async function unshareKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
): Promise<void> {
  const { role } = await requireDomainTo(services, person, domainId, 'see')
  const share = await services.db
    .selectFrom('domain_keepers')
    .select('owner_id')
    .where('domain_id', '=', domainId)
    .where('keeper_id', '=', keeperId)
    .executeTakeFirst()
  if (!share) throw keeperNotFound()
  if (!mayTakeBack(person, role, share.owner_id)) {
    const read = await keepersToRead(services, person, domainId)
      .select('share.keeper_id')
      .where('share.keeper_id', '=', keeperId)
      .executeTakeFirst()
    throw read ? onlyReads() : keeperNotFound()
  }
  try {
    await services.db.batch([
      requireChanges(
        services.db.deleteFrom('domain_keepers').where('domain_id', '=', domainId).where('keeper_id', '=', keeperId),
      ),
      auditing(services, {
        action: 'keeper-unshared',
        actor: person,
        personId: share.owner_id,
        domainId,
        details: { keeperId },
      }),
    ])
  } catch (error) {
    throw error instanceof UnexpectedChanges ? keeperNotFound() : error
  }
  await tellDomain(services, domainId)
}

/** As {@link unshareKeeper}, of a journey given by itself. */
export async function unshareJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
): Promise<void> {
  const { role } = await requireDomainTo(services, person, domainId, 'see')
  const share = await services.db
    .selectFrom('domain_journeys')
    .select('owner_id')
    .where('domain_id', '=', domainId)
    .where('journey_id', '=', journeyId)
    .executeTakeFirst()
  if (!share) throw journeyNotFound()
  if (!mayTakeBack(person, role, share.owner_id)) {
    const read = await loneJourneysToRead(services, person, domainId)
      .select('share.journey_id')
      .where('share.journey_id', '=', journeyId)
      .executeTakeFirst()
    throw read ? onlyReads() : journeyNotFound()
  }
  try {
    await services.db.batch([
      requireChanges(
        services.db.deleteFrom('domain_journeys').where('domain_id', '=', domainId).where('journey_id', '=', journeyId),
      ),
      auditing(services, {
        action: 'journey-unshared',
        actor: person,
        personId: share.owner_id,
        domainId,
        details: { journeyId },
      }),
    ])
  } catch (error) {
    throw error instanceof UnexpectedChanges ? journeyNotFound() : error
  }
  await tellDomain(services, domainId)
}

type Role = Awaited<ReturnType<typeof requireDomainTo>>['role']

const mayTakeBack = (person: Person, role: Role, giverId: string) =>
  role !== null && (giverId === person.id || mayInDomain(role, 'manageMembers'))

const onlyReads = () =>
  new Problem('forbidden', {
    message: 'Only whoever shared this, or who manages the members of the domain, can take it back.',
  })
