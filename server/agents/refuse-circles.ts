import { toolLimits } from '#contract/agents/tools.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-row.ts'

/**
 * Walks from a Coordinator down through the bundles of those it bundles.
 *
 * @throws Problem that names the way back to where it began, or a bundle that lies too deep
 */
export async function refuseCircles(services: Services, agent: AgentRow): Promise<void> {
  /** Names still to be looked at, each with the way that leads there. */
  let level = new Map(namesIn(agent).map((name) => [name, [agent.slug, name]]))
  const seen = new Set<string>()
  for (let depth = 1; level.size > 0; depth += 1) {
    if (depth > toolLimits.depth) {
      const [way = []] = level.values()
      throw badField(
        'config.bundle',
        `Agents may ask agents ${toolLimits.depth} levels deep: ${way.join(' → ')} is more.`,
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
      // Its own bundle is the one being saved, not the one in the row.
      if (row.id === agent.id || row.slug === agent.slug)
        throw badField('config.bundle', `A Coordinator cannot come to ask itself: ${way.join(' → ')}.`)
      if (row.agent_class !== 'Coordinator' || seen.has(row.id)) continue
      seen.add(row.id)
      for (const name of namesIn(row)) if (!below.has(name)) below.set(name, [...way, name])
    }
    if (below.has(agent.slug) || below.has(agent.id)) {
      const way = below.get(agent.slug) ?? below.get(agent.id) ?? []
      throw badField('config.bundle', `A Coordinator cannot come to ask itself: ${way.join(' → ')}.`)
    }
    level = below
  }
}

function namesIn({ config }: Pick<AgentRow, 'config'>): string[] {
  return (config.bundle ?? []).map((name) => name.trim()).filter(Boolean)
}
