import type { AuditAction } from '#contract/administration/audit.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

export interface Deed {
  action: AuditAction
  /** `null`: the server itself, or the command line. */
  actor: { id: string } | null
  personId?: string | null
  domainId?: string | null
  /** A role, provider, model or host name. Never an email, a person's name, a key or content. */
  subject?: string | null
  details?: Record<string, string | null>
}

/** A write, to be part of the action's own batch. @throws Problem 429 above the daily limit */
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
