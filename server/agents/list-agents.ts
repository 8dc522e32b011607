import type { Agent } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { hotQuery } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { visibleAgents } from './agent-access.ts'
import { agentView } from './agent-view.ts'

const mostAgents = 1000

const newestFirst = hotQuery<{ person: string }>()((db, { person }) =>
  visibleAgents(db, person).orderBy('agents.created_at', 'desc').orderBy('agents.id').limit(mostAgents),
)

/** The agents a person may see, newest first. */
export async function listAgents(services: Services, person: Person): Promise<Agent[]> {
  const rows = await newestFirst.all(services.db, { person: person.id })
  return rows.map((row) => agentView(row, person))
}
