import type { AuditAction, AuditEvent } from '#contract/administration/audit.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { forWhom, roleHolders, sharedPartNames } from '#contract/domains/sharing-in-domains.ts'
import { budgetNames } from '#web/budget-names.ts'
import { roleNames } from '#web/domain-role-words.ts'
import { counted } from '#web/ui/counted.ts'

/** What was done, in the past tense, in the order of the filter. */
export const auditWords: Record<AuditAction, string> = {
  'account-registered': 'Registered',
  'signed-in': 'Signed in',
  'too-many-wrong-passwords': 'Too many wrong passwords',
  'session-ended': 'Ended a session',
  'signed-out-everywhere': 'Signed out everywhere',
  'password-changed': 'Changed the password',
  'password-reset': 'Set a password by reset link',
  'account-deletion-asked': 'Asked for deletion',
  'account-deletion-withdrawn': 'Withdrew the deletion',
  'account-deleted': 'Account deleted',
  'account-downloaded': 'Downloaded everything',
  'account-deactivated': 'Deactivated',
  'account-reactivated': 'Reactivated',
  'account-exported': 'Exported account data',
  'reset-link-made': 'Made a reset link',
  'role-granted': 'Granted a role',
  'role-revoked': 'Took a role away',
  'domain-created': 'Created a domain',
  'domain-changed': 'Changed a domain',
  'domain-deleted': 'Deleted a domain',
  'domain-made-primary': 'Made a domain primary',
  'domain-transferred': 'Handed a domain on',
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
  'person-noted': 'Noted something about a person',
  'person-put-on-journey': 'Put a person on a journey',
  'person-taken-off-journey': 'Took a person off a journey',
  'invitation-sent': 'Sent an invitation',
  'invitation-resent': 'Sent an invitation again',
  'invitation-revoked': 'Took an invitation back',
  'invitation-accepted': 'Accepted an invitation',
  'keeper-shared': 'Shared a keeper',
  'keeper-unshared': 'Stopped sharing a keeper',
  'journey-shared': 'Shared a journey',
  'journey-unshared': 'Stopped sharing a journey',
  'board-shared': 'Shared a board',
  'board-unshared': 'Stopped sharing a board',
  'board-link-made': 'Made a link to a board',
  'board-link-removed': 'Took a link to a board back',
  'platform-key-saved': 'Saved a platform key',
  'platform-key-switched': 'Switched a platform key',
  'platform-key-removed': 'Removed a platform key',
  'model-service-added': 'Added a model service',
  'model-service-changed': 'Changed a model service',
  'model-service-removed': 'Deleted a model service',
  'budget-set': 'Set a budget',
  'model-price-set': 'Set the price of a model',
  'model-price-removed': 'Took the price of a model back',
  'context-text-set': 'Set a context text',
  'context-text-reset': 'Reset a context text',
  'built-in-agent-changed': 'Changed an agent of Keeper',
  'tool-server-trusted': 'Trusted a tool server',
  'tool-server-untrusted': 'Stopped trusting a tool server',
  'database-repaired': 'Repaired the database',
  'built-in-agents-repaired': 'Repaired the agents of Keeper',
}

/** Somebody who is gone, or gave no name, is known by the end of their id. */
export function whoWords(somebody: AuditEvent['person']): string {
  return somebody ? (somebody.name ?? `Somebody (${somebody.id.slice(-8)})`) : 'The server'
}

export function domainWords(domain: AuditEvent['domain']): string {
  return domain ? (domain.name ?? `A domain that is gone (${domain.id.slice(-8)})`) : ''
}

const endOf = (id: string) => id.slice(-8)
const listed = (value: string) => value.split(/,? /).filter(Boolean)

/** Words of each key of the details, beside `from` and `to`; '' is nothing worth a word. A page shows no other key. */
export const detailWords: Record<string, (value: string) => string> = {
  boardId: (id) => `Board ${endOf(id)}`,
  keeperId: (id) => `Keeper ${endOf(id)}`,
  journeyId: (id) => `Journey ${endOf(id)}`,
  parts: (parts) => `with ${listed(parts).map(partName).join(', ')}`,
  roles: (roles) => `for ${forWhom(memberRoles.filter((role) => listed(roles).includes(role)))}`,
  ...Object.fromEntries(memberRoles.map((role) => [role, (right: string) => rightWords(role, right)])),
  changed: (columns) =>
    listed(columns)
      .map((column) => domainColumns[column] ?? 'something else')
      .join(', '),
  warnAtPercent: (percent) => `warns at ${percent} %`,
  host: (host) => host,
  agents: (slugs) => (slugs === 'none' ? 'no agent changed' : `changed ${slugs}`),
  applied: (migrations) => (migrations === 'none' ? 'no migration was pending' : `applied ${migrations}`),
  errors: (count) => (count === '0' ? '' : counted(Number(count), 'error')),
}

const domainColumns: Record<string, string> = {
  name: 'the name',
  slug: 'the slug',
  description: 'the description',
  lead_agent_id: 'the lead agent',
}

const partName = (part: string) => (sharedPartNames as Record<string, string>)[part] ?? part

function rightWords(role: MemberRole, right: string): string {
  return right === 'none' ? '' : `${roleHolders[role]} may ${right}`
}

/** Roles in a domain have names; those of the platform are their own. */
function named(action: AuditAction, word: string | null | undefined): string | null | undefined {
  const ofDomain = action.startsWith('member-') || action.startsWith('invitation-') || action === 'domain-transferred'
  const names: Record<string, string> = ofDomain ? roleNames : action === 'budget-set' ? budgetNames : {}
  return word ? (names[word] ?? word) : word
}

/** What it was about: the subject, unless what changed says it, and what changed from what to what. */
export function subjectWords({ action, subject, details }: Pick<AuditEvent, 'action' | 'subject' | 'details'>): string {
  const { from, to, ...others } = details
  const change = from || to ? `${named(action, from) ?? '–'} → ${named(action, to) ?? '–'}` : ''
  const about = change && (subject === from || subject === to) ? '' : named(action, subject)
  const more = Object.entries(others).map(([key, value]) => (value === null ? '' : detailWords[key]?.(value)))
  return [about, change, ...more].filter(Boolean).join(', ')
}
