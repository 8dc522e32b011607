import type { Agent } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { hotQuery } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { openAgents, type SeenAgent, sharedAgents } from './agent-access.ts'
import { agentView } from './agent-view.ts'

const mostAgents = 1000

const open = hotQuery<{ person: string }>()((db, { person }) =>
  openAgents(db, person).orderBy('agents.created_at', 'desc').orderBy('agents.id').limit(mostAgents),
)
const shared = hotQuery<{ person: string }>()((db, { person }) =>
  sharedAgents(db, person).orderBy('agents.created_at', 'desc').orderBy('agents.id').limit(mostAgents),
)

/** The agents a person may see, newest first. */
export async function listAgents(services: Services, person: Person): Promise<Agent[]> {
  const asked = { person: person.id }
  const [own, granted] = await Promise.all([open.all(services.db, asked), shared.all(services.db, asked)])
  const seen: SeenAgent[] = granted.length === 0 ? own : newestOf([...own, ...granted])
  return seen.map((agent) => agentView(agent, person))
}

/** One's own agent may be among those shared too, from before it was handed to one. */
function newestOf(agents: SeenAgent[]): SeenAgent[] {
  const each = new Map(agents.map((agent) => [agent.id, agent]))
  return [...each.values()].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1)).slice(0, mostAgents)
}
