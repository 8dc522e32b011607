import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { DomainAccess } from '../domain-access.ts'

/** Writes for a batch after `lockDomain`; sharing something in a domain accepts the membership implicitly. */
export function acceptMembership(
  services: Services,
  person: Pick<Person, 'id'>,
  { domain, role, agreed }: DomainAccess,
): Write[] {
  if (agreed) return []
  return [
    requireChanges(
      services.db
        .updateTable('domain_members')
        .set({ agreed_at: services.now().getTime() })
        .where('domain_id', '=', domain.id)
        .where('person_id', '=', person.id)
        .where('agreed_at', 'is', null),
    ),
    insertAudit(services, {
      action: 'member-agreed',
      actor: person,
      personId: person.id,
      domainId: domain.id,
      subject: role,
    }),
  ]
}
