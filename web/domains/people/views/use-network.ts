import { useMemo } from 'react'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { findCompanions, groupByJourney } from '../companions.ts'
import { layOutNetwork } from './network-layout.ts'

export type Network = ReturnType<typeof useNetwork>

export function useNetwork(people: readonly DomainPerson[], journeys: DomainPeople['journeys'], size: number) {
  return useMemo(() => {
    const companions = findCompanions(people, journeys)
    return { companions, groups: groupByJourney(people, journeys), nodes: layOutNetwork(people, companions, size) }
  }, [people, journeys, size])
}
