import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { findAgentFor } from '#server/agents/agent-access.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { listDomains } from '#server/domains/list-domains.ts'
import { selectPeopleVisibleTo } from '#server/domains/people/people-of-domains.ts'
import { selectReadableIndividualJourneys, selectReadableKeeperJourneys } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import { findEntryFor } from '#server/keepers/entries/require-entry.ts'
import { requireKeeperFor } from '#server/keepers/keeper-access.ts'
import { requireKeeperTypeFor } from '#server/keepers/types/type-catalog.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'

export type LinkedEntityKind = BoardEntity | 'keeper' | 'moment' | 'board'

export interface LinkedEntity {
  id: string
  name: string
}

type EntityFinder = (services: Services, person: Person, id: string) => Promise<LinkedEntity | undefined>

const entityFinders: Record<LinkedEntityKind, EntityFinder> = {
  agent: (services, person, id) => findAgentFor(services, person, id),
  domain: async (services, person, id) => {
    const { domain, role } = await requireDomainTo(services, person, id, 'see')
    return role === null ? undefined : domain
  },
  journey: findJourney,
  'keeper-type': (services, person, id) => requireKeeperTypeFor(services, person, id),
  people: findPeople,
  keeper: async (services, person, id) => {
    const keeper = await requireKeeperFor(services, person, id)
    return { id: keeper.id, name: keeper.title }
  },
  moment: async (services, person, id) => {
    const moment = await findEntryFor(services, person, 'moment', id)
    return moment && { id: moment.id, name: moment.title ?? 'Moment' }
  },
  board: async (services, person, id) => (await requireBoardRight(services, person, id, 'view')).board,
}

export function isEntityKind(kind: string): kind is LinkedEntityKind {
  return Object.hasOwn(entityFinders, kind)
}

export async function findEntity(
  services: Services,
  person: Person,
  kind: LinkedEntityKind,
  id: string,
): Promise<LinkedEntity | undefined> {
  try {
    return await entityFinders[kind](services, person, id)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}

/** @throws Problem 404 alike for unknown and invisible entities */
export async function requireEntity(
  services: Services,
  person: Person,
  kind: BoardEntity,
  id: string,
): Promise<LinkedEntity> {
  const entity = await findEntity(services, person, kind, id)
  if (!entity) throw new Problem('not-found', { message: `${entityNames[kind]} not found` })
  return entity
}

const entityNames: Record<BoardEntity, string> = {
  agent: 'Agent',
  domain: 'Domain',
  journey: 'Journey',
  'keeper-type': 'Keeper type',
  people: 'Person',
}

async function findJourney(services: Services, person: Person, id: string): Promise<LinkedEntity | undefined> {
  const ownJourney = await findEntryFor(services, person, 'journey', id)
  if (ownJourney) return { id: ownJourney.id, name: ownJourney.title }
  const domainIds = (await listDomains(services, person)).map((domain) => domain.id)
  if (domainIds.length === 0) return undefined
  for (const journeys of [
    selectReadableIndividualJourneys(services, person, domainIds).select(['journeys.id', 'journeys.title']),
    selectReadableKeeperJourneys(services, person, domainIds).select(['journeys.id', 'journeys.title']),
  ]) {
    const sharedJourney = await journeys.where('journeys.id', '=', id).executeTakeFirst()
    if (sharedJourney) return { id: sharedJourney.id, name: sharedJourney.title }
  }
  return undefined
}

async function findPeople(services: Services, person: Person, id: string): Promise<LinkedEntity | undefined> {
  const domain = await findEntity(services, person, 'domain', id)
  if (domain) return domain
  const member = await services.db
    .selectFrom('people')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where((where) =>
      where.or([where('id', '=', person.id), where('id', 'in', selectPeopleVisibleTo(services.db, person.id))]),
    )
    .executeTakeFirst()
  return member && { id: member.id, name: member.name ?? 'Person' }
}
