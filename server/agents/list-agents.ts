import type { Agent } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { hotQuery } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { agentView } from './agent-view.ts'

const mostAgents = 1000

const visibleAgents = hotQuery<{ person: string }>()((db, { person }) =>
  db
    .selectFrom('agents')
    .selectAll()
    .where((where) =>
      where.or([where('owner_id', '=', person), where('visibility', '=', 'public'), where('owner_id', 'is', null)]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostAgents),
)

/** One's own agents, the public ones and those that come with Keeper, newest first. */
export async function listAgents(services: Services, person: Person): Promise<Agent[]> {
  const rows = await visibleAgents.all(services.db, { person: person.id })
  return rows.map((row) => agentView(row, person))
}
