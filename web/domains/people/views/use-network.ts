import { useMemo } from 'react'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { type Companions, findCompanions, groupByJourney } from '../companions.ts'

interface NetworkNode {
  person: DomainPerson
  x: number
  y: number
  /** Text anchor that makes the name run away from the circle. */
  anchor: 'start' | 'middle' | 'end'
}

const maxNodes = 40

export function layOutNetwork(
  people: readonly DomainPerson[],
  companions: readonly Companions[],
  size: number,
): NetworkNode[] {
  const degree = new Map<string, number>()
  for (const { firstId, secondId } of companions)
    for (const id of [firstId, secondId]) degree.set(id, (degree.get(id) ?? 0) + 1)
  const connectedPeople = people
    .filter(({ id }) => degree.has(id))
    .sort((a, b) => (degree.get(b.id) ?? 0) - (degree.get(a.id) ?? 0))
    .slice(0, maxNodes)
  return connectedPeople.map((person, index) => {
    const angle = (index / connectedPeople.length) * 2 * Math.PI - Math.PI / 2
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    return {
      person,
      x: size / 2 + x * size * 0.33,
      y: size / 2 + y * size * 0.36,
      anchor: Math.abs(x) < 0.3 ? 'middle' : x > 0 ? 'start' : 'end',
    }
  })
}

export type Network = ReturnType<typeof useNetwork>

export function useNetwork(people: readonly DomainPerson[], journeys: DomainPeople['journeys'], size: number) {
  return useMemo(() => {
    const companions = findCompanions(people, journeys)
    return { companions, groups: groupByJourney(people, journeys), nodes: layOutNetwork(people, companions, size) }
  }, [people, journeys, size])
}
