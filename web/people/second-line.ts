import type { DomainPerson } from '#contract/domains/people.ts'
import { notJoinedYet } from '#web/ui/not-joined-yet.ts'

/** What stands under a name: the e-mail address, or why there is none; empty where the address is in place of the name. */
export function secondLine({ name, email, status, invitationId }: DomainPerson): string {
  if (status === 'pending') return invitationId ? 'Invited, not here yet' : notJoinedYet
  return name && email ? email : ''
}
