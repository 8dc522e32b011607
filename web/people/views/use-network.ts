import { useMemo } from 'react'
import type { DomainPerson, PeopleOfDomains } from '#contract/domains/people.ts'
import { companionsOf, companyOf } from '../companions.ts'
import { networkLayout } from './network-layout.ts'

export type Network = ReturnType<typeof useNetwork>

export function useNetwork(people: readonly DomainPerson[], journeys: PeopleOfDomains['journeys'], size: number) {
  return useMemo(() => {
    const companions = companionsOf(people, journeys)
    return { companions, company: companyOf(people, journeys), nodes: networkLayout(people, companions, size) }
  }, [people, journeys, size])
}
