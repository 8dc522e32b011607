import { type DomainRole, mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'

/** What was given to a domain is taken back by whoever gave it, and by who manages the members. `role`: the asker's there. */
export const mayTakeBack = (person: Pick<Person, 'id'>, role: DomainRole | null, giverId: string): boolean =>
  role !== null && (giverId === person.id || mayInDomain(role, 'manageMembers'))

/** For a member who may only see it. */
export const othersTakeBack = (): Problem =>
  new Problem('forbidden', {
    message: 'Only whoever shared this, or who manages the members of the domain, can take it back.',
  })
