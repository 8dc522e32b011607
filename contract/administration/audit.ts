import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, day, id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'

export const auditActions = [
  'account-registered',
  'signed-in',
  'too-many-wrong-passwords',
  'too-many-wrong-codes',
  'identity-confirmed',
  'passkey-added',
  'passkey-renamed',
  'passkey-removed',
  'passkey-copy-suspected',
  'second-factor-added',
  'second-factor-removed',
  'recovery-codes-renewed',
  'recovery-code-used',
  'sign-in-policy-set',
  'oidc-refused',
  'identity-linked',
  'identity-unlinked',
  'app-lock-changed',
  'session-ended',
  'signed-out-everywhere',
  'password-changed',
  'password-reset',
  'account-deletion-asked',
  'account-deletion-withdrawn',
  'account-deleted',
  'account-downloaded', // by the person
  'account-deactivated',
  'account-reactivated',
  'account-exported', // by an administrator
  'reset-link-made',
  'role-granted',
  'role-revoked',
  'domain-created',
  'domain-changed',
  'domain-deleted',
  'domain-made-primary',
  'domain-transferred',
  'custom-domain-set', // in Keeper
  'custom-domain-added', // at the hosting provider
  'custom-domain-verified',
  'custom-domain-lost',
  'custom-domain-removed',
  'member-added',
  'member-agreed',
  'member-role-changed',
  'member-removed',
  'member-left',
  'person-noted',
  'person-put-on-journey',
  'person-taken-off-journey',
  'invitation-sent',
  'invitation-resent',
  'invitation-revoked',
  'invitation-accepted',
  'keeper-shared',
  'keeper-unshared',
  'journey-shared',
  'journey-unshared',
  'board-shared',
  'board-unshared',
  'board-link-made',
  'board-link-removed',
  'platform-key-saved',
  'platform-key-switched',
  'platform-key-removed',
  'model-service-added',
  'model-service-changed',
  'model-service-removed',
  'budget-set',
  'model-price-set',
  'model-price-removed',
  'context-text-set',
  'context-text-reset',
  'built-in-agent-changed',
  'tool-server-trusted',
  'tool-server-untrusted',
  'connection-created', // a token, or an app that signed in
  'connection-changed',
  'connection-revoked',
  'proposal-approved',
  'proposal-rejected',
  'database-repaired',
  'built-in-agents-repaired',
  'test-email-sent',
  'backup-made',
  'backup-downloaded',
  'backup-deleted',
  'backup-schedule-changed',
  'backup-restore-started',
  'backup-restored',
  'backup-restore-failed',
] as const
export type AuditAction = (typeof auditActions)[number]

const auditPerson = z.object({ id: z.string(), name: z.nullable(displayLine) })

export const auditEvent = z.object({
  id: z.string(),
  at: z.string(),
  action: z.enum(auditActions),
  /** `null`: the server itself or the command line. A deleted account has no name. */
  actor: z.nullable(auditPerson),
  /** The person affected. */
  person: z.nullable(auditPerson),
  domain: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
  /** A role, provider, model or host name. Never a key, an email or text written by a person. */
  subject: z.nullable(displayLine),
  /** Previous and new values, such as `{from: 'user', to: 'admin'}`. */
  details: z.record(z.string(), z.nullable(displayLine)),
})
export type AuditEvent = z.infer<typeof auditEvent>

const auditFilters = {
  userId: z.optional(id),
  domainId: z.optional(id),
  action: z.optional(z.enum(auditActions, 'Choose an action from the list.')),
  from: z.optional(day),
  to: z.optional(day),
}

export const audit = {
  list: defineEndpoint('GET /api/admin/audit', {
    summary: 'List audit events, newest first',
    access: { permission: 'manage_users' },
    query: z.object({ ...auditFilters, ...cursorQuery }),
    response: z.object({ items: z.array(auditEvent), next_cursor: z.nullable(z.string()) }),
  }),
  export: defineEndpoint('GET /api/admin/audit/export', {
    summary: 'Export all matching audit events as CSV',
    access: { permission: 'manage_users' },
    query: z.object(auditFilters),
    response: z.unknown(),
  }),
}
