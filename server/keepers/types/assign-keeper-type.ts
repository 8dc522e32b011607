import type { Agent } from '#contract/agents/agents.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import {
  requireAgentFor,
  requireEditableAgent,
  selectOpenAgents,
  selectSharedAgents,
} from '#server/agents/agent-access.ts'
import { toAgentView } from '#server/agents/agent-view.ts'
import { sortNewestFirst } from '#server/agents/list-agents.ts'
import { ForeignKeyViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { keeperTypeKind, queryVisibleKeeperTypes, requireKeeperTypeFor } from './type-catalog.ts'

const maxAssigned = 1000

interface Assignment {
  agentId: string
  keeperTypeId: string
}

export async function listKeeperTypesOfAgent(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<KeeperType[]> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const rows = await queryVisibleKeeperTypes(services, person)
    .where(
      'keeper_types.id',
      'in',
      services.db.selectFrom('agent_keeper_types').select('keeper_type_id').where('agent_id', '=', agent.id),
    )
    .execute()
  return keeperTypeKind.toViews(services, rows, person)
}

export async function listAgentsOfKeeperType(services: Services, person: Person, id: string): Promise<Agent[]> {
  const type = await requireKeeperTypeFor(services, person, id)
  const { db } = services
  const assignedAgentIds = db.selectFrom('agent_keeper_types').select('agent_id').where('keeper_type_id', '=', type.id)
  const [publicAgents, sharedWithPerson] = await Promise.all(
    [selectOpenAgents(db, person.id), selectSharedAgents(db, person.id)].map((agents) =>
      agents
        .where('agents.id', 'in', assignedAgentIds)
        .orderBy('agents.created_at', 'desc')
        .orderBy('agents.id')
        .limit(maxAssigned)
        .execute(),
    ),
  )
  return sortNewestFirst(sharedWithPerson ?? [], publicAgents ?? []).map((agent) => toAgentView(agent, person))
}

export async function assignKeeperType(services: Services, person: Person, input: Assignment): Promise<void> {
  const agent = await requireEditableAgent(services, person, input.agentId)
  const type = await requireKeeperTypeFor(services, person, input.keeperTypeId)
  try {
    await services.db
      .insertInto('agent_keeper_types')
      .values({
        agent_id: agent.id,
        keeper_type_id: type.id,
        assigned_at: services.now().getTime(),
        assigned_by: person.id,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } catch (error) {
    if (error instanceof ForeignKeyViolation)
      throw new Problem('not-found', { message: 'The agent or keeper type has been deleted.' })
    throw error
  }
}

export async function unassignKeeperType(services: Services, person: Person, input: Assignment): Promise<void> {
  const agent = await requireEditableAgent(services, person, input.agentId)
  const type = await requireKeeperTypeFor(services, person, input.keeperTypeId)
  await services.db
    .deleteFrom('agent_keeper_types')
    .where('agent_id', '=', agent.id)
    .where('keeper_type_id', '=', type.id)
    .execute()
}
