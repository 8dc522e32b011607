import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'

type SharedJourneyInfo = DomainPeople['journeys'][number]

export interface Companions {
  one: string
  other: string
  journeys: SharedJourneyInfo[]
}

/** Larger groups connect only to the journey's owner, because connecting all pairs is unreadable. */
const maxFullyConnected = 12

export function findCompanions(people: readonly DomainPerson[], journeys: readonly SharedJourneyInfo[]): Companions[] {
  const pairs = new Map<string, Companions>()
  for (const { journey, people: group } of groupByJourney(people, journeys)) {
    const owner = group.find(({ userId }) => userId === journey.ownerId) ?? group[0]
    for (const [at, one] of group.entries()) {
      const partners =
        group.length <= maxFullyConnected
          ? group.slice(at + 1)
          : one === owner
            ? group.filter((person) => person !== one)
            : []
      for (const other of partners) {
        const [first, second] = [one.id, other.id].toSorted()
        const key = `${first} ${second}`
        const pair = pairs.get(key) ?? { one: first ?? '', other: second ?? '', journeys: [] }
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
  const byJourney = new Map<string, DomainPerson[]>()
  for (const person of people)
    for (const id of person.journeyIds) {
      const key = `${person.domainId} ${id}`
      byJourney.set(key, [...(byJourney.get(key) ?? []), person])
    }
  return journeys
    .map((journey) => ({ journey, people: byJourney.get(`${journey.domainId} ${journey.id}`) ?? [] }))
    .sort((one, other) => other.people.length - one.people.length)
}
