import type { DomainPerson, PeopleOfDomains } from '#contract/domains/people.ts'

type Journey = PeopleOfDomains['journeys'][number]

/** Two people (row IDs) of one domain and the journeys they share. */
export interface Companions {
  one: string
  other: string
  journeys: Journey[]
}

/** Larger groups connect only to the journey's owner, because connecting all pairs is unreadable. */
const mostEachToEach = 12

export function companionsOf(people: readonly DomainPerson[], journeys: readonly Journey[]): Companions[] {
  const pairs = new Map<string, Companions>()
  for (const { journey, people: on } of companyOf(people, journeys)) {
    const owner = on.find(({ userId }) => userId === journey.ownerId) ?? on[0]
    for (const [at, one] of on.entries()) {
      const others =
        on.length <= mostEachToEach ? on.slice(at + 1) : one === owner ? on.filter((each) => each !== one) : []
      for (const other of others) {
        const [first, second] = [one.id, other.id].toSorted()
        const key = `${first} ${second}`
        const known = pairs.get(key) ?? { one: first ?? '', other: second ?? '', journeys: [] }
        known.journeys.push(journey)
        pairs.set(key, known)
      }
    }
  }
  return [...pairs.values()]
}

/** People per journey, largest group first. */
export function companyOf(
  people: readonly DomainPerson[],
  journeys: readonly Journey[],
): { journey: Journey; people: DomainPerson[] }[] {
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
