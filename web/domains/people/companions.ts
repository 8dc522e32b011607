import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'

type SharedJourneyInfo = DomainPeople['journeys'][number]

export interface Companions {
  firstId: string
  secondId: string
  journeys: SharedJourneyInfo[]
}

/** Larger groups connect only to the journey's owner, because connecting all pairs is unreadable. */
const maxFullyConnected = 12

export function findCompanions(people: readonly DomainPerson[], journeys: readonly SharedJourneyInfo[]): Companions[] {
  const pairs = new Map<string, Companions>()
  for (const { journey, people: group } of groupByJourney(people, journeys)) {
    const owner = group.find(({ userId }) => userId === journey.ownerId) ?? group[0]
    for (const [index, person] of group.entries()) {
      const partners =
        group.length <= maxFullyConnected
          ? group.slice(index + 1)
          : person === owner
            ? group.filter((candidate) => candidate !== person)
            : []
      for (const partner of partners) {
        const [first, second] = [person.id, partner.id].toSorted()
        const key = `${first} ${second}`
        const pair = pairs.get(key) ?? { firstId: first ?? '', secondId: second ?? '', journeys: [] }
        pair.journeys.push(journey)
        pairs.set(key, pair)
      }
    }
  }
  return [...pairs.values()]
}

export function groupByJourney(
  people: readonly DomainPerson[],
  journeys: readonly SharedJourneyInfo[],
): { journey: SharedJourneyInfo; people: DomainPerson[] }[] {
  const peopleByJourney = new Map<string, DomainPerson[]>()
  for (const person of people)
    for (const id of person.journeyIds) {
      const key = `${person.domainId} ${id}`
      peopleByJourney.set(key, [...(peopleByJourney.get(key) ?? []), person])
    }
  return journeys
    .map((journey) => ({ journey, people: peopleByJourney.get(`${journey.domainId} ${journey.id}`) ?? [] }))
    .sort((a, b) => b.people.length - a.people.length)
}
