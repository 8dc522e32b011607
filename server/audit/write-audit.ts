import type { AuditAction } from '#contract/administration/audit.ts'
import { json, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

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

/** Per person and process. Each action leaves a row that nothing deletes. */
export const maxActionsPerDay = 1000

const unlimitedActions: ReadonlySet<AuditAction> = new Set([
  ...(['account-registered', 'account-deletion-withdrawn', 'account-deleted', 'account-downloaded'] as const),
  ...(['account-deactivated', 'account-reactivated', 'account-exported', 'reset-link-made'] as const),
  ...(['passkey-removed', 'passkey-copy-suspected', 'second-factor-removed', 'recovery-codes-renewed'] as const),
  ...(['recovery-code-used', 'too-many-wrong-codes', 'sign-in-policy-set'] as const),
  ...(['session-ended', 'signed-out-everywhere', 'password-reset', 'too-many-wrong-passwords'] as const),
  ...(['oidc-refused', 'identity-unlinked'] as const),
  ...(['domain-deleted', 'custom-domain-lost', 'custom-domain-removed', 'invitation-revoked'] as const),
  ...(['member-removed', 'member-left', 'person-taken-off-journey'] as const),
  ...(['keeper-unshared', 'journey-unshared', 'board-unshared', 'board-link-removed'] as const),
  ...(['connection-revoked', 'proposal-approved', 'proposal-rejected'] as const),
  ...(['role-granted', 'role-revoked', 'model-price-set', 'model-price-removed'] as const),
  ...(['platform-key-saved', 'platform-key-switched', 'platform-key-removed'] as const),
  ...(['context-text-set', 'context-text-reset', 'built-in-agent-changed', 'built-in-agents-repaired'] as const),
  ...(['tool-server-trusted', 'tool-server-untrusted', 'database-repaired'] as const),
  ...(['backup-deleted', 'backup-schedule-changed', 'backup-restore-started'] as const),
  ...(['backup-restored', 'backup-restore-failed'] as const),
] satisfies AuditAction[])

/** Counted separately, so that a stolen session can't block sign-in. */
const passwordActions: ReadonlySet<AuditAction> = new Set(['signed-in', 'password-changed', 'identity-confirmed'])

export class AuditLimit {
  #day = 0
  readonly #counts = new Map<string, number>()

  /** @throws Problem 429 above the limit */
  count(action: AuditAction, actorId: string, now: Date): void {
    if (unlimitedActions.has(action)) return
    const day = Math.floor(now.getTime() / dayMs)
    if (day !== this.#day) this.#counts.clear()
    this.#day = day
    const key = passwordActions.has(action) ? `${actorId} with password` : actorId
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    if (count <= maxActionsPerDay) return
    const message = `You’ve reached today’s limit of ${maxActionsPerDay.toLocaleString('en-US')} sign-ins, shares, invitations and access changes. Try again tomorrow. You can still revoke access at any time.`
    throw new Problem('too-many', { message, retryAfterSeconds: ((day + 1) * dayMs - now.getTime()) / 1000 })
  }
}
