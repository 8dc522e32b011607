import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { lockDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import {
  canRevoke,
  revokeRefused,
  selectReadableIndividualJourneys,
  selectReadableKeepers,
} from '#server/domains/readable-shares.ts'
import type { Services } from '#server/services.ts'
import { createKeeperNotFound } from '../keeper-access.ts'
import { createJourneyNotFound } from './show-shared-journey.ts'

/** Allowed to the giver and to member managers. @throws Problem 404, 403 for a reader */
export async function revokeKeeperShare(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
): Promise<void> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'see')
    const share = await services.db
      .selectFrom('domain_keepers')
      .select('owner_id')
      .where('domain_id', '=', domainId)
      .where('keeper_id', '=', keeperId)
      .executeTakeFirst()
    if (!share) throw createKeeperNotFound()
    if (!canRevoke(person, domain.role, share.owner_id)) {
      const readableShare = await selectReadableKeepers(services, person, domainId)
        .select('share.keeper_id')
        .where('share.keeper_id', '=', keeperId)
        .executeTakeFirst()
      throw readableShare ? revokeRefused() : createKeeperNotFound()
    }
    await services.db.batch([
      ...lockDomain(services, person, domain),
      requireChanges(
        services.db.deleteFrom('domain_keepers').where('domain_id', '=', domainId).where('keeper_id', '=', keeperId),
      ),
      insertAudit(services, {
        action: 'keeper-unshared',
        actor: person,
        personId: share.owner_id,
        domainId,
        details: { keeperId },
      }),
    ])
    await publishDomainChanged(services, domainId, [person.id])
  })
}

export async function revokeJourneyShare(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
): Promise<void> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'see')
    const share = await services.db
      .selectFrom('domain_journeys')
      .select('owner_id')
      .where('domain_id', '=', domainId)
      .where('journey_id', '=', journeyId)
      .executeTakeFirst()
    if (!share) throw createJourneyNotFound()
    if (!canRevoke(person, domain.role, share.owner_id)) {
      const readableShare = await selectReadableIndividualJourneys(services, person, domainId)
        .select('share.journey_id')
        .where('share.journey_id', '=', journeyId)
        .executeTakeFirst()
      throw readableShare ? revokeRefused() : createJourneyNotFound()
    }
    await services.db.batch([
      ...lockDomain(services, person, domain),
      requireChanges(
        services.db.deleteFrom('domain_journeys').where('domain_id', '=', domainId).where('journey_id', '=', journeyId),
      ),
      insertAudit(services, {
        action: 'journey-unshared',
        actor: person,
        personId: share.owner_id,
        domainId,
        details: { journeyId },
      }),
    ])
    await publishDomainChanged(services, domainId, [person.id])
  })
}
