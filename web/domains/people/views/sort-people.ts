import { domainRoles } from '#contract/domains/domain-actions.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'

export type PeopleColumn = 'name' | 'role' | 'domain' | 'journeys' | 'since' | 'active'
export interface PeopleSort {
  column: PeopleColumn
  direction: 'ascending' | 'descending'
}

const sortKeys: Record<PeopleColumn, (person: DomainPerson) => string | number> = {
  name: (person) => getPersonName(person).toLowerCase(),
  role: ({ relation }) => domainRoles.indexOf(relation),
  domain: ({ domainName }) => domainName.toLowerCase(),
  journeys: ({ journeyIds }) => journeyIds.length,
  since: ({ since }) => since,
  active: ({ lastActiveAt }) => lastActiveAt ?? '',
}

/** Ties are sorted by name, ascending in both directions. */
export function sortPeople(people: readonly DomainPerson[], { column, direction }: PeopleSort): DomainPerson[] {
  const sign = direction === 'ascending' ? 1 : -1
  return [...people].sort(
    (a, b) =>
      sign * compareValues(sortKeys[column](a), sortKeys[column](b)) ||
      compareValues(sortKeys.name(a), sortKeys.name(b)),
  )
}

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'string' && typeof b === 'string'
    ? a.localeCompare(b, 'en', { numeric: true })
    : Number(a) - Number(b)
}
