import { type DomainRole, mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'

/** Shares can be revoked by their owner and by managers of members. `role`: the person's role in the domain. */
export const mayTakeBack = (person: Pick<Person, 'id'>, role: DomainRole | null, giverId: string): boolean =>
  role !== null && (giverId === person.id || mayInDomain(role, 'manageMembers'))

export const othersTakeBack = (): Problem =>
  new Problem('forbidden', {
    message: 'Only the person who shared this, or someone who manages the domain’s members, can unshare it.',
  })
