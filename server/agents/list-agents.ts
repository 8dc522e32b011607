import type { Agent } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { hotQuery } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { visibleAgents } from './agent-access.ts'
import { agentView } from './agent-view.ts'

const mostAgents = 1000

const newestFirst = hotQuery<{ person: string }>()((db, { person }) =>
  visibleAgents(db, person)
    .selectAll('agents')
    .orderBy('agents.created_at', 'desc')
    .orderBy('agents.id')
    .limit(mostAgents),
)
// Apart from the agents: few people have any, and a join costs everybody's list a third more.
const grantsOf = hotQuery<{ person: string }>()((db, { person }) =>
  db
    .selectFrom('agent_grants')
    .select(['agent_id', 'may_run', 'may_edit', 'may_share', 'may_delete'])
    .where('person_id', '=', person),
)

/** The agents a person may see, newest first. */
export async function listAgents(services: Services, person: Person): Promise<Agent[]> {
  const asked = { person: person.id }
  const [rows, grants] = await Promise.all([newestFirst.all(services.db, asked), grantsOf.all(services.db, asked)])
  if (grants.length === 0) return rows.map((row) => agentView(row, person))
  const granted = new Map(grants.map(({ agent_id, ...rights }) => [agent_id, rights]))
  return rows.map((row) => agentView({ ...row, ...granted.get(row.id) }, person))
}
