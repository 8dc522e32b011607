import { useMemo } from 'react'
import type { DomainPerson, PeopleOfDomains } from '#contract/domains/people.ts'
import { companionsOf, companyOf } from '../companions.ts'
import { networkLayout } from './network-layout.ts'

export type Network = ReturnType<typeof useNetwork>

/** Who is on each journey, who shares one with whom, and where they stand in a square of this size. */
export function useNetwork(people: readonly DomainPerson[], journeys: PeopleOfDomains['journeys'], size: number) {
  return useMemo(() => {
    const companions = companionsOf(people, journeys)
    return { companions, company: companyOf(people, journeys), nodes: networkLayout(people, companions, size) }
  }, [people, journeys, size])
}
