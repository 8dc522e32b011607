import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEvent } from '#contract/administration/audit.ts'
import { type DomainRole, roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { people } from '#contract/domains/people.ts'
import { call } from '#web/api/api.ts'

const sentences: Partial<Record<AuditEvent['action'], (event: AuditEvent) => string>> = {
  'domain-created': () => 'created this domain',
  'domain-changed': () => 'changed the domain',
  'domain-made-primary': () => 'made it their primary domain',
  'domain-transferred': (event) => `transferred the domain to ${formatSubject(event)}`,
  'custom-domain-set': (event) => `set ${event.subject ?? 'a custom domain'} as custom domain`,
  'custom-domain-added': (event) => `added ${event.subject ?? 'the custom domain'} to hosting`,
  'custom-domain-verified': (event) => `verified ${event.subject ?? 'the custom domain'}`,
  'custom-domain-lost': (event) => `noticed that ${event.subject ?? 'the custom domain'} is no longer verified`,
  'custom-domain-removed': (event) => `removed ${event.subject ?? 'the custom domain'}`,
  'member-added': (event) => `added ${formatSubject(event)}${event.subject ? ` as ${formatRole(event.subject)}` : ''}`,
  'member-agreed': () => 'joined the domain',
  'member-role-changed': (event) =>
    `changed ${formatSubject(event)} from ${formatRole(event.details.from) ?? 'another role'} to ${formatRole(event.details.to ?? event.subject) ?? 'another'}`,
  'member-removed': (event) => `removed ${formatSubject(event)}`,
  'member-left': () => 'left the domain',
  'person-noted': (event) => `wrote a note about ${formatSubject(event)}`,
  'person-put-on-journey': (event) => `added ${formatSubject(event)} to a journey`,
  'person-taken-off-journey': (event) => `removed ${formatSubject(event)} from a journey`,
  'invitation-sent': (event) => `invited someone${event.subject ? ` as ${formatRole(event.subject)}` : ''}`,
  'invitation-resent': () => 'resent an invitation',
  'invitation-revoked': () => 'revoked an invitation',
  'invitation-accepted': (event) => `accepted an invitation${event.subject ? ` as ${formatRole(event.subject)}` : ''}`,
  'keeper-shared': () => 'shared a keeper',
  'keeper-unshared': () => 'unshared a keeper',
  'journey-shared': () => 'shared a journey',
  'journey-unshared': () => 'unshared a journey',
}

export function toActivitySentence(event: AuditEvent): { actorName: string; predicate: string } {
  const actorName = event.actor ? (event.actor.name ?? 'A deleted user') : 'Keeper'
  return { actorName, predicate: sentences[event.action]?.(event) ?? event.action.replaceAll('-', ' ') }
}

function formatRole(role: string | null | undefined): string | null | undefined {
  return role && role in roleNamesInSentence ? roleNamesInSentence[role as DomainRole] : role
}

function formatSubject({ person, actor }: AuditEvent): string {
  if (!person) return 'someone'
  if (person.id === actor?.id) return 'themselves'
  return person.name ?? 'a deleted user'
}

export const useActivity = (domainId: string) =>
  useInfiniteQuery({
    queryKey: ['people', 'activity', domainId],
    queryFn: ({ pageParam, signal }) =>
      call(people.activity, { params: { id: domainId }, query: pageParam ? { cursor: pageParam } : {}, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
