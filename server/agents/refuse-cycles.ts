import { toolLimits } from '#contract/agents/tools.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor } from './agent-access.ts'
import { getBundleNames } from './agent-bundle.ts'
import type { AgentRow } from './agent-row.ts'

type AgentViewer = Pick<Person, 'id'>

/** @throws Problem naming the cycle or the too deep path; agents the person can't see are not named */
export async function refuseCycles(services: Services, person: AgentViewer, agent: AgentRow): Promise<void> {
  const formatPath = (path: readonly string[]) => formatVisiblePath(services, person, agent, path)
  let level = new Map(getBundleNames(agent).map((name) => [name, [agent.slug, name]]))
  const visitedIds = new Set<string>()
  for (let depth = 1; level.size > 0; depth += 1) {
    if (depth > toolLimits.depth) {
      const [path = []] = level.values()
      throw badField(
        'config.bundle',
        `Bundles can be at most ${toolLimits.depth} levels deep: ${await formatPath(path)} is deeper.`,
      )
    }
    const rows = await services.db
      .selectFrom('agents')
      .select(['id', 'slug', 'agent_class', 'config'])
      .where((where) => where.or([where('slug', 'in', [...level.keys()]), where('id', 'in', [...level.keys()])]))
      .execute()
    const nextLevel = new Map<string, string[]>()
    for (const row of rows) {
      const path = level.get(row.slug) ?? level.get(row.id) ?? []
      // Its bundle is the one being saved, not the stored one.
      if (row.id === agent.id || row.slug === agent.slug)
        throw badField('config.bundle', `A Coordinator can’t end up calling itself: ${await formatPath(path)}.`)
      if (row.agent_class !== 'Coordinator' || visitedIds.has(row.id)) continue
      visitedIds.add(row.id)
      for (const name of getBundleNames(row)) if (!nextLevel.has(name)) nextLevel.set(name, [...path, name])
    }
    if (nextLevel.has(agent.slug) || nextLevel.has(agent.id)) {
      const path = nextLevel.get(agent.slug) ?? nextLevel.get(agent.id) ?? []
      throw badField('config.bundle', `A Coordinator can’t end up calling itself: ${await formatPath(path)}.`)
    }
    level = nextLevel
  }
}

async function formatVisiblePath(
  services: Services,
  person: AgentViewer,
  agent: AgentRow,
  path: readonly string[],
): Promise<string> {
  const visibleNames = path.map(async (name) => {
    const isVisible = name === agent.slug || name === agent.id || (await findAgentFor(services, person, name))
    return isVisible ? name : 'another agent'
  })
  return (await Promise.all(visibleNames)).join(' → ')
}
