import type { Board, boards } from '#contract/boards/boards.ts'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import { findAgentFor, requireAgentFor } from '#server/agents/agent-access.ts'
import { toAgentView } from '#server/agents/agent-view.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { requireDomainAccess } from '#server/domains/domain-access.ts'
import { listDomains } from '#server/domains/list-domains.ts'
import { selectPeopleVisibleTo } from '#server/domains/people/people-of-domains.ts'
import { selectReadableIndividualJourneys, selectReadableKeeperJourneys } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import { findEntryFor } from '#server/keepers/entries/require-entry.ts'
import { requireKeeperFor } from '#server/keepers/keeper-access.ts'
import { requireKeeperTypeFor } from '#server/keepers/types/type-catalog.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { defaultBoardConfig, findOwnBoard, insertBoard, requireBoardDomain } from '../create-board.ts'
import { createEntityFrames } from './new-frames.ts'

/** Concurrent requests get the same board. @throws Problem 404 for an invisible entity */
export async function getOrCreateEntityBoard(
  services: Services,
  person: Person,
  { entityType, entityId }: { entityType: BoardEntity; entityId: string },
): Promise<Board> {
  const entity = await requireEntity(services, person, entityType, entityId)
  const findBoard = () => findOwnBoard(services, person, { entity_type: entityType, entity_id: entity.id })
  const existing = await findBoard()
  if (existing) return existing
  try {
    return await insertBoard(services, person, {
      id: services.newId(),
      owner_id: person.id,
      domain_id: await requireBoardDomain(services, person, entityType === 'domain' ? entity.id : undefined),
      type: entityType,
      config: {
        ...defaultBoardConfig,
        name: entity.name.slice(0, 120).trim(),
        description: '',
        layout: entityType === 'domain' ? 'grid' : 'canvas',
        engagementMode: 'canvas',
      },
      entity: { type: entityType, id: entity.id },
      frames: createEntityFrames(services, entityType, entity.id),
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const createdBoard = await findBoard()
    if (createdBoard) return createdBoard
    throw error
  }
}

/** An agent with the frames of the caller's own board for it, if any. @throws Problem 404 */
export async function getAgentWorkspace(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<EndpointOutput<typeof boards.agentWorkspace>> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const board = await findOwnBoard(services, person, { entity_type: 'agent', entity_id: agent.id })
  return { agent: toAgentView(agent, person), frames: board?.frames ?? [] }
}

type LinkedEntityKind = BoardEntity | 'keeper' | 'moment' | 'board'

interface LinkedEntity {
  id: string
  name: string
}

type EntityFinder = (services: Services, person: Person, id: string) => Promise<LinkedEntity | undefined>

const entityFinders: Record<LinkedEntityKind, EntityFinder> = {
  agent: (services, person, id) => findAgentFor(services, person, id),
  domain: async (services, person, id) => {
    const { domain, role } = await requireDomainAccess(services, person, id, 'see')
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
async function requireEntity(services: Services, person: Person, kind: BoardEntity, id: string): Promise<LinkedEntity> {
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
  for (const selectJourneys of [selectReadableIndividualJourneys, selectReadableKeeperJourneys]) {
    const sharedJourney = await selectJourneys(services, person, domainIds)
      .select(['journeys.id', 'journeys.title as name'])
      .where('journeys.id', '=', id)
      .executeTakeFirst()
    if (sharedJourney) return sharedJourney
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
