import type { MemberRole } from '#contract/domains/domains.ts'
import type { JourneyShareInfo, KeeperShareInfo, SharedPart } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { domainNotFound, lockDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { acceptMembership } from '#server/domains/members/members.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { findJourneyShare, findKeeperShare } from './list-shares.ts'
import { toPartColumns, toParts, toRoleColumns, toRoles } from './shared-rows.ts'

/** An identical share writes nothing. @throws Problem 404, 403 where the person's role does not share */
export async function shareKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  input: { parts: SharedPart[]; roles: MemberRole[] },
): Promise<KeeperShareInfo> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'share')
    const keeper = await requireKeeperFor(services, person, keeperId)
    const columns = { ...toPartColumns(input.parts), ...toRoleColumns(input.roles) }
    const previous = await findKeeperShare(services, person, keeper.id, domainId)
    const [parts, roles] = [toParts(columns).join(' '), toRoles(columns).join(' ')]
    if (previous?.parts.join(' ') === parts && previous.roles.join(' ') === roles) return previous
    await services.db.batch([
      ...lockDomain(services, person, domain),
      ...acceptMembership(services, person, domain),
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
      insertAudit(services, {
        action: 'keeper-shared',
        actor: person,
        domainId,
        details: { keeperId: keeper.id, parts, roles },
      }),
    ])
    await publishDomainChanged(services, domainId)
    const share = await findKeeperShare(services, person, keeper.id, domainId)
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
  input: { roles: MemberRole[] },
): Promise<JourneyShareInfo> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'share')
    await requireEntryFor(services, person, 'journey', journeyId)
    const columns = toRoleColumns(input.roles)
    const previous = await findJourneyShare(services, person, journeyId, domainId)
    const roles = toRoles(columns).join(' ')
    if (previous?.roles.join(' ') === roles) return previous
    await services.db.batch([
      ...lockDomain(services, person, domain),
      ...acceptMembership(services, person, domain),
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
      insertAudit(services, { action: 'journey-shared', actor: person, domainId, details: { journeyId, roles } }),
    ])
    await publishDomainChanged(services, domainId)
    const share = await findJourneyShare(services, person, journeyId, domainId)
    if (!share) throw domainNotFound()
    return share
  })
}
