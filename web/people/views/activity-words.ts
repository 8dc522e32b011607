import type { AuditEvent } from '#contract/administration/audit.ts'
import { type DomainRole, rolesInSentences } from '#contract/domains/domain-deeds.ts'

const sentences: Partial<Record<AuditEvent['action'], (event: AuditEvent) => string>> = {
  'domain-created': () => 'made this domain',
  'domain-changed': () => 'changed the domain',
  'domain-made-primary': () => 'made it their primary domain',
  'domain-transferred': (event) => `handed the domain to ${whom(event)}`,
  'custom-domain-set': (event) => `wrote down ${event.subject ?? 'a custom domain'}`,
  'custom-domain-added': (event) => `added ${event.subject ?? 'the custom domain'} to the hosting`,
  'custom-domain-verified': (event) => `verified ${event.subject ?? 'the custom domain'}`,
  'custom-domain-lost': (event) => `found ${event.subject ?? 'the custom domain'} no longer verified`,
  'custom-domain-removed': (event) => `took ${event.subject ?? 'the custom domain'} away`,
  'member-added': (event) => `added ${whom(event)}${event.subject ? ` as ${roleWords(event.subject)}` : ''}`,
  'member-agreed': () => 'joined the domain',
  'member-role-changed': (event) =>
    `changed ${whom(event)} from ${roleWords(event.details.from) ?? 'another role'} to ${roleWords(event.details.to ?? event.subject) ?? 'another'}`,
  'member-removed': (event) => `removed ${whom(event)}`,
  'member-left': () => 'left the domain',
  'person-noted': (event) => `wrote a note about ${whom(event)}`,
  'person-put-on-journey': (event) => `put ${whom(event)} on a journey`,
  'person-taken-off-journey': (event) => `took ${whom(event)} off a journey`,
  'invitation-sent': (event) => `invited somebody${event.subject ? ` as ${roleWords(event.subject)}` : ''}`,
  'invitation-resent': () => 'made a new link for an invitation',
  'invitation-revoked': () => 'took an invitation back',
  'invitation-accepted': (event) => `came by an invitation${event.subject ? ` as ${roleWords(event.subject)}` : ''}`,
  'keeper-shared': () => 'gave a keeper to the domain',
  'keeper-unshared': () => 'took a keeper back',
  'journey-shared': () => 'gave a journey to the domain',
  'journey-unshared': () => 'took a journey back',
}

/** Who did it, and the rest of the sentence. */
export function activityWords(event: AuditEvent): { who: string; did: string } {
  const who = event.actor ? (event.actor.name ?? 'Somebody who is gone') : 'Keeper'
  return { who, did: sentences[event.action]?.(event) ?? event.action.replaceAll('-', ' ') }
}

function roleWords(role: string | null | undefined): string | null | undefined {
  return role && role in rolesInSentences ? rolesInSentences[role as DomainRole] : role
}

function whom({ person, actor }: AuditEvent): string {
  if (!person) return 'somebody'
  if (person.id === actor?.id) return 'themselves'
  return person.name ?? 'somebody who is gone'
}
