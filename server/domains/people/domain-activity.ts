import type { AuditAction, AuditEvent } from '#contract/administration/audit.ts'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import type { Person } from '#server/accounts/person.ts'
import { readAudit } from '#server/audit/read-audit.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo } from '../domain-access.ts'

/** Notes on people, and journeys that not every role can read, are visible to managers only. */
export const managersOnly: readonly AuditAction[] = [
  'person-noted',
  'person-put-on-journey',
  'person-taken-off-journey',
]
const involvedOnly: readonly AuditAction[] = [
  'keeper-shared',
  'keeper-unshared',
  'journey-shared',
  'journey-unshared',
  'board-shared',
  'board-unshared',
]

/** @throws Problem 404 for an invisible domain; 400 for an invalid cursor */
export async function listDomainActivity(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  domainId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: AuditEvent[]; next_cursor: string | null }> {
  const { role } = await requireDomainTo(services, person, domainId, 'see')
  const canManage = role !== null && canActInDomain(role, 'manageMembers')
  const except = { always: managersOnly, unlessInvolved: involvedOnly, userId: person.id }
  return readAudit(services, { domainId, except: canManage ? undefined : except }, page)
}
