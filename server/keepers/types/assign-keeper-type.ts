import type { Agent } from '#contract/agents/agents.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { openAgents, requireAgentFor, requireEditableFor, sharedAgents } from '#server/agents/agent-access.ts'
import { agentView } from '#server/agents/agent-view.ts'
import { newestFirst } from '#server/agents/list-agents.ts'
import { ForeignKeyViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { keeperTypeViews, requireKeeperTypeFor, visibleKeeperTypes } from './visible-keeper-types.ts'

/** Of those open to one, and as many of those shared with one. */
const mostAssigned = 1000

interface Assignment {
  agentId: string
  keeperTypeId: string
}

/** The types assigned to an agent one may see, as far as one may use them. */
export async function keeperTypesOfAgent(services: Services, person: Person, idOrSlug: string): Promise<KeeperType[]> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const rows = await visibleKeeperTypes(services, person)
    .where(
      'keeper_types.id',
      'in',
      services.db.selectFrom('agent_keeper_types').select('keeper_type_id').where('agent_id', '=', agent.id),
    )
    .execute()
  return keeperTypeViews(services, rows, person)
}

/** The agents that a type one may use is assigned to, as far as one may see them. */
export async function agentsOfKeeperType(services: Services, person: Person, id: string): Promise<Agent[]> {
  const type = await requireKeeperTypeFor(services, person, id)
  const { db } = services
  const assigned = db.selectFrom('agent_keeper_types').select('agent_id').where('keeper_type_id', '=', type.id)
  const [open, shared] = await Promise.all(
    [openAgents(db, person.id), sharedAgents(db, person.id)].map((agents) =>
      agents
        .where('agents.id', 'in', assigned)
        .orderBy('agents.created_at', 'desc')
        .orderBy('agents.id')
        .limit(mostAssigned)
        .execute(),
    ),
  )
  return newestFirst(shared ?? [], open ?? []).map((agent) => agentView(agent, person))
}

/** Assigned already is fine: it stays as it was. */
export async function assignKeeperType(services: Services, person: Person, given: Assignment): Promise<void> {
  const agent = await requireEditableFor(services, person, given.agentId)
  const type = await requireKeeperTypeFor(services, person, given.keeperTypeId)
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
      throw new Problem('not-found', { message: 'The agent or the keeper type was deleted meanwhile.' })
    throw error
  }
}

/** Not assigned is fine: that is what was asked for. */
export async function unassignKeeperType(services: Services, person: Person, given: Assignment): Promise<void> {
  const agent = await requireEditableFor(services, person, given.agentId)
  const type = await requireKeeperTypeFor(services, person, given.keeperTypeId)
  await services.db
    .deleteFrom('agent_keeper_types')
    .where('agent_id', '=', agent.id)
    .where('keeper_type_id', '=', type.id)
    .execute()
}
