import type { AuditAction } from '#contract/administration/audit.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

export interface AuditEntry {
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
export function insertAudit(services: Services, entry: AuditEntry): Write {
  if (entry.actor) services.auditLimit.count(entry.action, entry.actor.id, services.now())
  return services.db.insertInto('audit_events').values({
    id: services.newId(),
    at: services.now().getTime(),
    action: entry.action,
    actor_id: entry.actor?.id ?? null,
    person_id: entry.personId ?? null,
    domain_id: entry.domainId ?? null,
    subject: entry.subject ?? null,
    details: json(entry.details ?? {}),
  })
}
