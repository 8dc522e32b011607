import type { DomainPerson } from '#contract/domains/people.ts'
import { notJoinedYet } from '#web/ui/text/domain-role-texts.ts'

/** The email or pending status below a name; empty if the email replaces the name. */
export function getPersonSubtitle({ name, email, status, invitationId }: DomainPerson): string {
  if (status === 'pending') return invitationId ? 'Invited, not joined yet' : notJoinedYet
  return name && email ? email : ''
}
