import { domainRoles } from '#contract/domains/domain-deeds.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { nameOf } from '#web/ui/name-of-person.ts'

export type PeopleColumn = 'name' | 'role' | 'domain' | 'journeys' | 'since' | 'active'
export interface PeopleSort {
  column: PeopleColumn
  direction: 'ascending' | 'descending'
}

const by: Record<PeopleColumn, (person: DomainPerson) => string | number> = {
  name: (person) => nameOf(person).toLowerCase(),
  role: ({ relation }) => domainRoles.indexOf(relation),
  domain: ({ domainName }) => domainName.toLowerCase(),
  journeys: ({ journeyIds }) => journeyIds.length,
  since: ({ since }) => since,
  active: ({ lastActiveAt }) => lastActiveAt ?? '',
}

/** Ties are sorted by name, ascending in both directions. */
export function sortedPeople(people: readonly DomainPerson[], { column, direction }: PeopleSort): DomainPerson[] {
  const sign = direction === 'ascending' ? 1 : -1
  return [...people].sort(
    (one, other) => sign * compared(by[column](one), by[column](other)) || compared(by.name(one), by.name(other)),
  )
}

function compared(one: string | number, other: string | number): number {
  return typeof one === 'string' && typeof other === 'string'
    ? one.localeCompare(other, 'en', { numeric: true })
    : Number(one) - Number(other)
}
