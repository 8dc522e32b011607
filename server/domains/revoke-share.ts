import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'

export const canRevoke = (person: Pick<Person, 'id'>, role: DomainRole | null, ownerId: string): boolean =>
  role !== null && (ownerId === person.id || canActInDomain(role, 'manageMembers'))

export const revokeRefused = (): Problem =>
  new Problem('forbidden', {
    message: 'Only the person who shared this, or someone who manages the domain’s members, can unshare it.',
  })
