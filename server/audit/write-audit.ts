import type { AuditAction } from '#contract/administration/audit.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

export interface Deed {
  action: AuditAction
  /** Who did it; `null`: the server itself, or the command line. */
  actor: { id: string } | null
  personId?: string | null
  domainId?: string | null
  /** A role, a provider, a model, a host name. Never an e-mail, a name of a person, a key, or what somebody wrote. */
  subject?: string | null
  details?: Record<string, string | null>
}

/**
 * The write that puts a deed into the audit trail; it goes into the batch that does the deed, so that neither is without the other.
 * @throws Problem 429 for a person who did too many today
 */
export function auditing(services: Services, deed: Deed): Write {
  if (deed.actor) services.auditLimit.count(deed.action, deed.actor.id, services.now())
  return services.db.insertInto('audit_events').values({
    id: services.newId(),
    at: services.now().getTime(),
    action: deed.action,
    actor_id: deed.actor?.id ?? null,
    person_id: deed.personId ?? null,
    domain_id: deed.domainId ?? null,
    subject: deed.subject ?? null,
    details: json(deed.details ?? {}),
  })
}
