import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { holdDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { keepersToRead, loneJourneysToRead } from '#server/domains/readable-shares.ts'
import { mayTakeBack, othersTakeBack } from '#server/domains/taking-back.ts'
import { tellDomain } from '#server/domains/tell-domain.ts'
import type { Services } from '#server/services.ts'
import { keeperNotFound } from '../keeper-access.ts'
import { journeyNotFound } from './shared-journey.ts'

/** Allowed to the giver and to member managers. @throws Problem 404, 403 for a reader */
export async function unshareKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
): Promise<void> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, domainId, 'see')
    const share = await services.db
      .selectFrom('domain_keepers')
      .select('owner_id')
      .where('domain_id', '=', domainId)
      .where('keeper_id', '=', keeperId)
      .executeTakeFirst()
    if (!share) throw keeperNotFound()
    if (!mayTakeBack(person, found.role, share.owner_id)) {
      const read = await keepersToRead(services, person, domainId)
        .select('share.keeper_id')
        .where('share.keeper_id', '=', keeperId)
        .executeTakeFirst()
      throw read ? othersTakeBack() : keeperNotFound()
    }
    await services.db.batch([
      ...holdDomain(services, person, found),
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
    await tellDomain(services, domainId, [person.id])
  })
}

/** See {@link revokeKeeperShare}. */
export async function unshareJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
): Promise<void> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, domainId, 'see')
    const share = await services.db
      .selectFrom('domain_journeys')
      .select('owner_id')
      .where('domain_id', '=', domainId)
      .where('journey_id', '=', journeyId)
      .executeTakeFirst()
    if (!share) throw journeyNotFound()
    if (!mayTakeBack(person, found.role, share.owner_id)) {
      const read = await loneJourneysToRead(services, person, domainId)
        .select('share.journey_id')
        .where('share.journey_id', '=', journeyId)
        .executeTakeFirst()
      throw read ? othersTakeBack() : journeyNotFound()
    }
    await services.db.batch([
      ...holdDomain(services, person, found),
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
    await tellDomain(services, domainId, [person.id])
  })
}
