import type { MemberRole } from '#contract/domains/domains.ts'
import type { SharedPart, ShareOfJourney, ShareOfKeeper } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { agreeing } from '#server/domains/agreeing.ts'
import { domainNotFound, holdDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { tellDomain } from '#server/domains/tell-domain.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { forRoles, partsOf, rolesOf, withParts } from './shared-rows.ts'
import { shareOfJourneyIn, shareOfKeeperIn } from './shares-of-keeper.ts'

/**
 * Replaces the share of a keeper in a domain; an identical one writes nothing.
 * @throws Problem 404, 403 where the person's role does not share
 */
export async function shareKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  given: { parts: SharedPart[]; roles: MemberRole[] },
): Promise<ShareOfKeeper> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, domainId, 'share')
    const keeper = await requireKeeperFor(services, person, keeperId)
    const columns = { ...withParts(given.parts), ...forRoles(given.roles) }
    const before = await shareOfKeeperIn(services, person, keeper.id, domainId)
    const [parts, roles] = [partsOf(columns).join(' '), rolesOf(columns).join(' ')]
    if (before?.parts.join(' ') === parts && before.roles.join(' ') === roles) return before
    await services.db.batch([
      ...holdDomain(services, person, found),
      ...agreeing(services, person, found),
      services.db
        .insertInto('domain_keepers')
        .values({
          domain_id: domainId,
          keeper_id: keeper.id,
          owner_id: person.id,
          shared_at: services.now().getTime(),
          ...columns,
        })
        .onConflict((conflict) => conflict.columns(['domain_id', 'keeper_id']).doUpdateSet(columns)),
      auditing(services, {
        action: 'keeper-shared',
        actor: person,
        domainId,
        details: { keeperId: keeper.id, parts, roles },
      }),
    ])
    await tellDomain(services, domainId)
    const share = await shareOfKeeperIn(services, person, keeper.id, domainId)
    // The person was removed from the domain concurrently.
    if (!share) throw domainNotFound()
    return share
  })
}

/** Shares one journey with its moments. @throws Problem 404, 403 where the person's role does not share */
export async function shareJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
  given: { roles: MemberRole[] },
): Promise<ShareOfJourney> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, domainId, 'share')
    await requireEntryFor(services, person, 'journey', journeyId)
    const columns = forRoles(given.roles)
    const before = await shareOfJourneyIn(services, person, journeyId, domainId)
    const roles = rolesOf(columns).join(' ')
    if (before?.roles.join(' ') === roles) return before
    await services.db.batch([
      ...holdDomain(services, person, found),
      ...agreeing(services, person, found),
      services.db
        .insertInto('domain_journeys')
        .values({
          domain_id: domainId,
          journey_id: journeyId,
          owner_id: person.id,
          shared_at: services.now().getTime(),
          ...columns,
        })
        .onConflict((conflict) => conflict.columns(['domain_id', 'journey_id']).doUpdateSet(columns)),
      auditing(services, { action: 'journey-shared', actor: person, domainId, details: { journeyId, roles } }),
    ])
    await tellDomain(services, domainId)
    const share = await shareOfJourneyIn(services, person, journeyId, domainId)
    if (!share) throw domainNotFound()
    return share
  })
}
