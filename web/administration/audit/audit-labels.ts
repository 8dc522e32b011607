import type { AuditAction, AuditEvent } from '#contract/administration/audit.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { formatRoles, roleGroupNames, sharedPartNames } from '#contract/domains/sharing-in-domains.ts'
import { budgetNames } from '#web/ui/text/budget-names.ts'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

/** Labels in the order of the filter. */
export const auditActionLabels: Record<AuditAction, string> = {
  'account-registered': 'Registered',
  'signed-in': 'Signed in',
  'too-many-wrong-passwords': 'Too many wrong passwords',
  'too-many-wrong-codes': 'Too many wrong codes',
  'identity-confirmed': 'Confirmed their identity',
  'passkey-added': 'Added a passkey',
  'passkey-renamed': 'Renamed a passkey',
  'passkey-removed': 'Removed a passkey',
  'passkey-copy-suspected': 'Refused a passkey that may be copied',
  'second-factor-added': 'Turned on codes',
  'second-factor-removed': 'Turned off codes',
  'recovery-codes-renewed': 'Created new recovery codes',
  'recovery-code-used': 'Used a recovery code',
  'sign-in-policy-set': 'Changed the sign-in rules',
  'oidc-refused': 'Refused by single sign-on',
  'identity-linked': 'Connected single sign-on',
  'identity-unlinked': 'Disconnected single sign-on',
  'app-lock-changed': 'Changed the app lock',
  'session-ended': 'Ended a session',
  'signed-out-everywhere': 'Signed out everywhere',
  'password-changed': 'Changed the password',
  'password-reset': 'Set a password by reset link',
  'account-deletion-asked': 'Requested deletion',
  'account-deletion-withdrawn': 'Canceled the deletion',
  'account-deleted': 'Account deleted',
  'account-downloaded': 'Downloaded everything',
  'account-deactivated': 'Deactivated',
  'account-reactivated': 'Reactivated',
  'account-exported': 'Exported account data',
  'reset-link-made': 'Created a reset link',
  'role-granted': 'Granted a role',
  'role-revoked': 'Revoked a role',
  'domain-created': 'Created a domain',
  'domain-changed': 'Changed a domain',
  'domain-deleted': 'Deleted a domain',
  'domain-made-primary': 'Made a domain primary',
  'domain-transferred': 'Transferred a domain',
  'custom-domain-set': 'Set a custom domain',
  'custom-domain-added': 'Added a custom domain to hosting',
  'custom-domain-verified': 'Custom domain verified',
  'custom-domain-lost': 'Custom domain lost',
  'custom-domain-removed': 'Removed a custom domain',
  'member-added': 'Added a member',
  'member-agreed': 'Joined a domain they were added to',
  'member-role-changed': 'Changed a member’s role',
  'member-removed': 'Removed a member',
  'member-left': 'Left a domain',
  'person-noted': 'Added a note about a person',
  'person-put-on-journey': 'Added a person to a journey',
  'person-taken-off-journey': 'Removed a person from a journey',
  'invitation-sent': 'Sent an invitation',
  'invitation-resent': 'Resent an invitation',
  'invitation-revoked': 'Revoked an invitation',
  'invitation-accepted': 'Accepted an invitation',
  'keeper-shared': 'Shared a keeper',
  'keeper-unshared': 'Stopped sharing a keeper',
  'journey-shared': 'Shared a journey',
  'journey-unshared': 'Stopped sharing a journey',
  'board-shared': 'Shared a board',
  'board-unshared': 'Stopped sharing a board',
  'board-link-made': 'Created a link to a board',
  'board-link-removed': 'Revoked a link to a board',
  'platform-key-saved': 'Saved a platform key',
  'platform-key-switched': 'Switched a platform key',
  'platform-key-removed': 'Removed a platform key',
  'model-service-added': 'Added a model service',
  'model-service-changed': 'Changed a model service',
  'model-service-removed': 'Deleted a model service',
  'budget-set': 'Set a budget',
  'model-price-set': 'Set the price of a model',
  'model-price-removed': 'Removed the price of a model',
  'context-text-set': 'Set a context text',
  'context-text-reset': 'Reset a context text',
  'built-in-agent-changed': 'Changed a built-in agent',
  'tool-server-trusted': 'Trusted a tool server',
  'tool-server-untrusted': 'Stopped trusting a tool server',
  'connection-created': 'Connected a program',
  'connection-changed': 'Changed a program’s access',
  'connection-revoked': 'Revoked a program’s access',
  'proposal-approved': 'Approved a proposal',
  'proposal-rejected': 'Rejected a proposal',
  'database-repaired': 'Repaired the database',
  'test-email-sent': 'Sent a test email',
  'built-in-agents-repaired': 'Repaired the built-in agents',
  'backup-made': 'Made a backup',
  'backup-downloaded': 'Downloaded a backup',
  'backup-deleted': 'Deleted a backup',
  'backup-schedule-changed': 'Changed the backup schedule',
  'backup-restore-started': 'Started to restore a backup',
  'backup-restored': 'Restored a backup',
  'backup-restore-failed': 'Couldn’t restore a backup',
}

/** People without a name, or deleted, are shown by the last 8 characters of their ID. */
export function formatAuditPerson(person: AuditEvent['person']): string {
  return person ? (person.name ?? `Someone (${shortenId(person.id)})`) : 'The server'
}

export function formatAuditDomain(domain: AuditEvent['domain']): string {
  return domain ? (domain.name ?? `A deleted domain (${shortenId(domain.id)})`) : ''
}

export const shortenId = (id: string) => id.slice(-8)
const splitList = (value: string) => value.split(/,? /).filter(Boolean)

const methodLabels: Record<string, string> = {
  password: 'a password',
  passkey: 'a passkey',
  totp: 'a code',
  recovery: 'a recovery code',
  oidc: 'single sign-on',
}

/** Formats each key of `details` except `from` and `to`; '' hides it. Other keys aren't shown. */
export const detailFormatters: Record<string, (value: string) => string> = {
  boardId: (id) => `Board ${shortenId(id)}`,
  keeperId: (id) => `Keeper ${shortenId(id)}`,
  journeyId: (id) => `Journey ${shortenId(id)}`,
  parts: (parts) => `with ${splitList(parts).map(getPartName).join(', ')}`,
  roles: (roles) => `for ${formatRoles(memberRoles.filter((role) => splitList(roles).includes(role)))}`,
  ...Object.fromEntries(memberRoles.map((role) => [role, (right: string) => formatRight(role, right)])),
  changed: (columns) =>
    splitList(columns)
      .map((column) => domainColumns[column] ?? 'something else')
      .join(', '),
  warnAtPercent: (percent) => `warns at ${percent}%`,
  host: (host) => host,
  method: (method) => `with ${methodLabels[method] ?? method}`,
  administratorsNeedTwoFactors: (value) => (value === 'true' ? 'required' : 'not required'),
  outcome: (outcome) => outcome.replaceAll('-', ' '),
  agents: (slugs) => (slugs === 'none' ? 'no agent changed' : `changed ${slugs}`),
  applied: (migrations) => (migrations === 'none' ? 'no migration was pending' : `applied ${migrations}`),
  reason: (reason) => reason.replaceAll('-', ' '),
  errors: (count) => (count === '0' ? '' : pluralize(Number(count), 'error')),
}

const domainColumns: Record<string, string> = {
  name: 'the name',
  slug: 'the slug',
  description: 'the description',
  lead_agent_id: 'the lead agent',
}

const getPartName = (part: string) => (sharedPartNames as Record<string, string>)[part] ?? part

function formatRight(role: MemberRole, right: string): string {
  return right === 'none' ? '' : `${roleGroupNames[role]} can ${right}`
}

/** Translates domain roles and budgets; platform roles are shown as they are. */
function translateName(action: AuditAction, name: string | null | undefined): string | null | undefined {
  if (!name) return name
  const isDomainAction =
    action.startsWith('member-') || action.startsWith('invitation-') || action === 'domain-transferred'
  const labels: Record<string, string | undefined> = {
    ...(isDomainAction && roleNames),
    ...(action === 'budget-set' && budgetNames),
  }
  return labels[name] ?? name
}

export function formatAuditSubject({
  action,
  subject,
  details,
}: Pick<AuditEvent, 'action' | 'subject' | 'details'>): string {
  const { from, to, ...otherDetails } = details
  const change = from || to ? `${translateName(action, from) ?? '–'} → ${translateName(action, to) ?? '–'}` : ''
  const subjectText = change && (subject === from || subject === to) ? '' : translateName(action, subject)
  const detailTexts = Object.entries(otherDetails).map(([key, value]) =>
    value === null ? '' : detailFormatters[key]?.(value),
  )
  return [subjectText, change, ...detailTexts].filter(Boolean).join(', ')
}
