import { toolLimits } from '#contract/agents/tools.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor } from './agent-access.ts'
import type { AgentRow } from './agent-row.ts'
import { bundleOf } from './bundle-of.ts'

type Asking = Pick<Person, 'id'>

/**
 * Walks the bundles below a Coordinator.
 * @throws Problem naming the cycle or the too deep path; agents the person can't see are not named
 */
export async function refuseCycles(services: Services, person: Asking, agent: AgentRow): Promise<void> {
  const told = (way: readonly string[]) => wayAsSeenBy(services, person, agent, way)
  let level = new Map(bundleOf(agent).map((name) => [name, [agent.slug, name]]))
  const seen = new Set<string>()
  for (let depth = 1; level.size > 0; depth += 1) {
    if (depth > toolLimits.depth) {
      const [way = []] = level.values()
      throw badField(
        'config.bundle',
        `Bundles can be at most ${toolLimits.depth} levels deep: ${await told(way)} is deeper.`,
      )
    }
    const rows = await services.db
      .selectFrom('agents')
      .select(['id', 'slug', 'agent_class', 'config'])
      .where((where) => where.or([where('slug', 'in', [...level.keys()]), where('id', 'in', [...level.keys()])]))
      .execute()
    const below = new Map<string, string[]>()
    for (const row of rows) {
      const way = level.get(row.slug) ?? level.get(row.id) ?? []
      // Its bundle is the one being saved, not the stored one.
      if (row.id === agent.id || row.slug === agent.slug)
        throw badField('config.bundle', `A Coordinator can't end up calling itself: ${await told(way)}.`)
      if (row.agent_class !== 'Coordinator' || seen.has(row.id)) continue
      seen.add(row.id)
      for (const name of bundleOf(row)) if (!below.has(name)) below.set(name, [...way, name])
    }
    if (below.has(agent.slug) || below.has(agent.id)) {
      const way = below.get(agent.slug) ?? below.get(agent.id) ?? []
      throw badField('config.bundle', `A Coordinator can't end up calling itself: ${await told(way)}.`)
    }
    level = below
  }
}

async function wayAsSeenBy(
  services: Services,
  person: Asking,
  agent: AgentRow,
  way: readonly string[],
): Promise<string> {
  const told = way.map(async (name) => {
    const isSeen = name === agent.slug || name === agent.id || (await findAgentFor(services, person, name))
    return isSeen ? name : 'another agent'
  })
  return (await Promise.all(told)).join(' → ')
}
