import type { Agent } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { hotQuery } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { openAgents, type SeenAgent, sharedAgents } from './agent-access.ts'
import { agentView } from './agent-view.ts'

const mostAgents = 1000
/** One's own and those that come with Keeper, which no number of public ones may push out. */
const own = hotQuery<{ person: string }>()((db, { person }) =>
  db
    .selectFrom('agents')
    .selectAll()
    .where((where) => where.or([where('owner_id', '=', person), where('owner_id', 'is', null)]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostAgents),
)

const open = hotQuery<{ person: string }>()((db, { person }) =>
  openAgents(db, person).orderBy('agents.created_at', 'desc').orderBy('agents.id').limit(mostAgents),
)
const shared = hotQuery<{ person: string }>()((db, { person }) =>
  sharedAgents(db, person).orderBy('agents.created_at', 'desc').orderBy('agents.id').limit(mostAgents),
)

/** The agents a person may see, newest first. */
export async function listAgents(services: Services, person: Person): Promise<Agent[]> {
  const asked = { person: person.id }
  const [all, granted] = await Promise.all([open.all(services.db, asked), shared.all(services.db, asked)])
  const first = all.length < mostAgents ? [] : await own.all(services.db, asked)
  const seen: SeenAgent[] = granted.length + first.length === 0 ? all : newestOf([...first, ...granted, ...all])
  return seen.map((agent) => agentView(agent, person))
}

/** The first of them, each once: one's own agent may be among those shared too, from before it was handed to one. */
function newestOf(agents: SeenAgent[]): SeenAgent[] {
  const each = new Map<string, SeenAgent>()
  for (const agent of agents) if (each.size < mostAgents || each.has(agent.id)) each.set(agent.id, agent)
  return [...each.values()].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
}
