import type { AuditAction, AuditEvent } from '#contract/administration/audit.ts'
import { mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Person } from '#server/accounts/person.ts'
import { readAudit } from '#server/audit/read-audit.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo } from '../domain-access.ts'

/** Notes about a person, and journeys that not every role may read, are known to who may see them all. */
export const onlyForManagers: readonly AuditAction[] = [
  'person-noted',
  'person-put-on-journey',
  'person-taken-off-journey',
]
/** What is given to some roles is nothing to the others, not even that it was given or taken back. */
const onlyForWhoGave: readonly AuditAction[] = [
  'keeper-shared',
  'keeper-unshared',
  'journey-shared',
  'journey-unshared',
  'board-shared',
  'board-unshared',
]

/** @throws Problem 404 for a domain of others; 400 for a cursor that is none */
export async function domainActivity(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  domainId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: AuditEvent[]; next_cursor: string | null }> {
  const { role } = await requireDomainTo(services, person, domainId, 'see')
  const manages = role !== null && mayInDomain(role, 'manageMembers')
  const except = { always: onlyForManagers, ofOthers: onlyForWhoGave, userId: person.id }
  return readAudit(services, { domainId, except: manages ? undefined : except }, page)
}
