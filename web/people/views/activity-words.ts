import type { AuditEvent } from '#contract/administration/audit.ts'
import { type DomainRole, rolesInSentences } from '#contract/domains/domain-deeds.ts'

const sentences: Partial<Record<AuditEvent['action'], (event: AuditEvent) => string>> = {
  'domain-created': () => 'created this domain',
  'domain-changed': () => 'changed the domain',
  'domain-made-primary': () => 'made it their primary domain',
  'domain-transferred': (event) => `transferred the domain to ${whom(event)}`,
  'custom-domain-set': (event) => `set ${event.subject ?? 'a custom domain'} as custom domain`,
  'custom-domain-added': (event) => `added ${event.subject ?? 'the custom domain'} to hosting`,
  'custom-domain-verified': (event) => `verified ${event.subject ?? 'the custom domain'}`,
  'custom-domain-lost': (event) => `found ${event.subject ?? 'the custom domain'} no longer verified`,
  'custom-domain-removed': (event) => `removed ${event.subject ?? 'the custom domain'}`,
  'member-added': (event) => `added ${whom(event)}${event.subject ? ` as ${roleWords(event.subject)}` : ''}`,
  'member-agreed': () => 'joined the domain',
  'member-role-changed': (event) =>
    `changed ${whom(event)} from ${roleWords(event.details.from) ?? 'another role'} to ${roleWords(event.details.to ?? event.subject) ?? 'another'}`,
  'member-removed': (event) => `removed ${whom(event)}`,
  'member-left': () => 'left the domain',
  'person-noted': (event) => `wrote a note about ${whom(event)}`,
  'person-put-on-journey': (event) => `added ${whom(event)} to a journey`,
  'person-taken-off-journey': (event) => `removed ${whom(event)} from a journey`,
  'invitation-sent': (event) => `invited someone${event.subject ? ` as ${roleWords(event.subject)}` : ''}`,
  'invitation-resent': () => 'resent an invitation',
  'invitation-revoked': () => 'revoked an invitation',
  'invitation-accepted': (event) => `accepted an invitation${event.subject ? ` as ${roleWords(event.subject)}` : ''}`,
  'keeper-shared': () => 'shared a keeper',
  'keeper-unshared': () => 'unshared a keeper',
  'journey-shared': () => 'shared a journey',
  'journey-unshared': () => 'unshared a journey',
}

/** Returns the subject and the predicate of a sentence. */
export function activityWords(event: AuditEvent): { who: string; did: string } {
  const who = event.actor ? (event.actor.name ?? 'A deleted user') : 'Keeper'
  return { who, did: sentences[event.action]?.(event) ?? event.action.replaceAll('-', ' ') }
}

function roleWords(role: string | null | undefined): string | null | undefined {
  return role && role in rolesInSentences ? rolesInSentences[role as DomainRole] : role
}

function whom({ person, actor }: AuditEvent): string {
  if (!person) return 'someone'
  if (person.id === actor?.id) return 'themselves'
  return person.name ?? 'a deleted user'
}
