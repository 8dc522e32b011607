import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { AgentRow } from '#server/agents/agent-view.ts'
import {
  type AgentCallPath,
  getMemoryLimits,
  type MemoryLimits,
  type MemoryReading,
  type PromptItem,
} from '#server/agents/keeper-memory.ts'
import type { Runner } from '#server/agents/runs/execute/runner.ts'
import type { Write } from '#server/db/database.ts'
import { selectPeopleWhoSee } from '#server/domains/people/people-of-domains.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, selectOwnKeepers } from '../keeper-access.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { toDocumentId } from './quotable-documents.ts'

export type ReadableKeeper = KeeperRow & { zone: string; limits: MemoryLimits }

type ReadableKeepers = { keepers: ReadableKeeper[]; reason: null } | { keepers: []; reason: string }

/** Returns none for a stranger's agent or an agent called by one, whose author could make it reveal what it read.
 * @param ifUntyped keepers for an agent without keeper types: all (for tools) or none (for the context) */
export async function findReadableKeepers(
  services: Services,
  runner: { person: Pick<Person, 'id' | 'connection'>; asOf?: Runner['asOf'] },
  { agent, callers }: AgentCallPath,
  { ifUntyped }: { ifUntyped: 'all' | 'none' },
): Promise<ReadableKeepers> {
  const { db } = services
  const { person } = runner
  const limits = getMemoryLimits(runner as Pick<Runner, 'person' | 'asOf'>)
  const allKeepers = await selectKeepersInLimits(services, person.id, limits).execute()
  if (allKeepers.length === 0) return { keepers: [], reason: 'this person has no keeper yet' }
  for (const currentAgent of [agent, ...callers])
    if (!(await isAgentTrusted(services, person, currentAgent))) {
      const subject = currentAgent === agent ? 'this agent' : 'an agent that asked this one'
      return { keepers: [], reason: `${subject} belongs to someone outside the domains this person agreed to` }
    }
  const assignedTypes = await db
    .selectFrom('agent_keeper_types')
    .select('keeper_type_id')
    .where('agent_id', '=', agent.id)
    .execute()
  if (assignedTypes.length === 0 && ifUntyped === 'none')
    return { keepers: [], reason: 'no keeper type is assigned to this agent' }
  const typeIds = new Set(assignedTypes.map(({ keeper_type_id }) => keeper_type_id))
  const matchingKeepers =
    assignedTypes.length === 0
      ? allKeepers
      : allKeepers.filter((keeper) => keeper.keeper_type_id !== null && typeIds.has(keeper.keeper_type_id))
  if (matchingKeepers.length === 0)
    return { keepers: [], reason: 'this person has no keeper of a type assigned to this agent' }
  const zone = await getPersonTimezone(services, person.id)
  return { keepers: matchingKeepers.map((keeper) => ({ ...keeper, zone, limits })), reason: null }
}

/** Ignores case. Without a title: the first keeper. */
export function findByTitle(keepers: readonly ReadableKeeper[], title: string | undefined): ReadableKeeper | undefined {
  const normalized = title?.toLowerCase()
  return normalized === undefined ? keepers[0] : keepers.find((keeper) => keeper.title.toLowerCase() === normalized)
}

/** Own keepers within the limits, oldest first. */
export function selectKeepersInLimits({ db }: Services, personId: string, { keeperIds }: MemoryLimits) {
  const query = selectOwnKeepers(db, personId)
    .where('id', '!=', getSampleKeeperId(personId))
    .orderBy('created_at')
    .orderBy('id')
  // SQL allows no empty list.
  return keeperIds === null ? query : query.where('id', 'in', ['', ...keeperIds])
}

async function isAgentTrusted({ db }: Services, person: Pick<Person, 'id'>, agent: AgentRow): Promise<boolean> {
  const owner = agent.owner_id
  if (owner === null || owner === person.id) return true
  const trustedOwner = await db
    .selectFrom('people')
    .select('people.id')
    .where('people.id', '=', owner)
    // Adding the person to a domain or sharing an agent with them creates no trust.
    .where('people.id', 'in', selectPeopleWhoSee(db, person.id))
    .executeTakeFirst()
  return trustedOwner !== undefined
}

const entityByItem: Record<string, Entity> = {
  sole: 'keeper',
  belief: 'voice',
  card: 'card',
  reflection: 'reflection',
  moment: 'moment',
  document: 'source',
}

function getEntityId(entity: Entity, item: PromptItem): string {
  if (entity === 'keeper') return item.keeperId
  return entity === 'source' ? toDocumentId(item) : item.id
}

export function createMemoryReadInserts(
  services: Services,
  reading: MemoryReading,
  items: readonly PromptItem[],
): Write[] {
  const recordedIds = new Set<string>()
  return items.flatMap((item) => {
    const entity = entityByItem[item.entity]
    if (!entity) return []
    const entityId = getEntityId(entity, item)
    // Several excerpts of a document are one read.
    if (entity === 'source' && recordedIds.has(entityId)) return []
    recordedIds.add(entityId)
    return createMemoryReadInsert(services, reading, { keeperId: item.keeperId, entity, entityId })
  })
}

export function createMemoryReadInsert(
  services: Services,
  { person, runId, agent, purpose }: MemoryReading,
  { keeperId, entity, entityId }: { keeperId: string; entity: Entity; entityId: string },
): Write {
  return (
    services.db
      .insertInto('memory_reads')
      .values({
        id: services.newId(),
        keeper_id: keeperId,
        owner_id: person.id,
        entity,
        entity_id: entityId,
        run_id: runId,
        agent_id: agent.id,
        agent_name: agent.name,
        purpose,
        read_at: services.now().getTime(),
        ...(person.connection && { connection_id: person.connection.id }),
      })
      // A retry after a lost response finds the row.
      .onConflict((conflict) => conflict.column('id').doNothing())
  )
}
