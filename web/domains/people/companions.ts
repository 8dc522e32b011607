import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'

type SharedJourneyInfo = DomainPeople['journeys'][number]

export interface Companions {
  firstId: string
  secondId: string
  journeys: SharedJourneyInfo[]
}

export interface CardBox {
  x: number
  y: number
  width: number
  height: number
}

/** Larger groups connect only to the journey's owner, because connecting all pairs is unreadable. */
const maxFullyConnected = 12

export function findCompanions(people: readonly DomainPerson[], journeys: readonly SharedJourneyInfo[]): Companions[] {
  const pairs = new Map<string, Companions>()
  for (const { journey, people: group } of groupByJourney(people, journeys)) {
    for (const [person, partner] of listPairs(group, journey.ownerId)) {
      const [firstId = '', secondId = ''] = [person.id, partner.id].toSorted()
      const key = `${firstId} ${secondId}`
      const pair = pairs.get(key) ?? { firstId, secondId, journeys: [] }
      pair.journeys.push(journey)
      pairs.set(key, pair)
    }
  }
  return [...pairs.values()]
}

function listPairs(group: readonly DomainPerson[], ownerId: string): [DomainPerson, DomainPerson][] {
  const owner = group.find(({ userId }) => userId === ownerId) ?? group[0]
  if (!owner) return []
  if (group.length > maxFullyConnected)
    return group.filter((person) => person !== owner).map((partner) => [owner, partner])
  return group.flatMap((person, index) =>
    group.slice(index + 1).map((partner): [DomainPerson, DomainPerson] => [person, partner]),
  )
}

const arcWidth = 13

/** Cards in one column connect by an arc at their left edge, others from center to center. */
export function toCompanionPath(first: CardBox, second: CardBox): string {
  const [y1, y2] = [first, second].map(({ y, height }) => y + height / 2)
  if (Math.abs(first.x - second.x) < first.width / 2)
    return `M${first.x} ${y1}C${first.x - arcWidth} ${y1} ${second.x - arcWidth} ${y2} ${second.x} ${y2}`
  const x1 = first.x + first.width / 2
  const x2 = second.x + second.width / 2
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
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
