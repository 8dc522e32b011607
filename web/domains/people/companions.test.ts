import { describe, expect, it } from 'vitest'
import type { DomainPerson } from '#contract/domains/people.ts'
import { findCompanions, groupByJourney } from './companions.ts'
import { sortPeople } from './views/people-overview.tsx'

const person = (userId: string, journeyIds: string[], more: Partial<DomainPerson> = {}): DomainPerson => ({
  id: `home.${userId}`,
  domainId: 'home',
  domainName: 'Willowbrook',
  userId,
  invitationId: null,
  name: userId,
  email: `${userId}@example.com`,
  avatar: null,
  relation: 'user',
  status: 'active',
  since: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  lastActiveAt: null,
  journeyIds,
  note: '',
  mayChange: true,
  ...more,
})
const journey = (id: string, ownerId = 'ada', domainId = 'home') => ({ id, domainId, title: id, ownerId })

describe('companions', () => {
  it('are pairs within one domain with all journeys they share', () => {
    const people = [
      person('ada', ['harbour', 'choir']),
      person('ben', ['harbour', 'choir']),
      person('dot', ['choir']),
      person('cleo', ['harbour'], { id: 'quay.cleo', domainId: 'quay' }),
    ]
    const pairs = findCompanions(people, [journey('harbour'), journey('choir')])
    expect(
      pairs.map(({ firstId, secondId, journeys }) => ({
        firstId,
        secondId,
        journeyIds: journeys.map(({ id }) => id).toSorted(),
      })),
    ).toEqual(
      expect.arrayContaining([
        { firstId: 'home.ada', secondId: 'home.ben', journeyIds: ['choir', 'harbour'] },
        { firstId: 'home.ada', secondId: 'home.dot', journeyIds: ['choir'] },
        { firstId: 'home.ben', secondId: 'home.dot', journeyIds: ['choir'] },
      ]),
    )
    expect(pairs).toHaveLength(3)
  })

  it('members of a large group are connected only to its owner', () => {
    const many = Array.from({ length: 300 }, (_, index) => person(`p${index}`, ['harbour']))
    const pairs = findCompanions([...many, person('ada', ['harbour'])], [journey('harbour')])
    expect(pairs).toHaveLength(300)
    expect(pairs.every(({ firstId, secondId }) => firstId === 'home.ada' || secondId === 'home.ada')).toBe(true)
  })

  it('list a journey without people last', () => {
    const groups = groupByJourney([person('ada', ['choir'])], [journey('harbour'), journey('choir')])
    expect(groups).toMatchObject([
      { journey: { id: 'choir' }, people: [{ userId: 'ada' }] },
      { journey: { id: 'harbour' }, people: [] },
    ])
  })
})

describe('people in a table', () => {
  it('are sorted by role, and by name within a role in both directions', () => {
    const people = [person('dot', []), person('ben', []), person('ada', [], { relation: 'owner' })]
    const names = (direction: 'ascending' | 'descending') =>
      sortPeople(people, { column: 'role', direction }).map(({ name }) => name)
    expect(names('ascending')).toEqual(['ada', 'ben', 'dot'])
    expect(names('descending')).toEqual(['ben', 'dot', 'ada'])
  })
})
