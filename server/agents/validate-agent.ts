import { toolLimits } from '#contract/agents/tools.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { canRun, findAgentFor } from './agent-access.ts'
import { type AgentRow, getBundleNames } from './agent-view.ts'
import { findUnknownTools } from './tools/available-tools.ts'

/** Bundled agents run on the owner's account, so the owner and the editor who adds one must both be able to run it. */
export async function validateAgent(
  services: Services,
  person: Person,
  agent: AgentRow,
  previous?: AgentRow,
): Promise<void> {
  if (agent.agent_class === 'Persona') throw badField('agent_class', 'Persona is coming soon.')
  const unknownTools = await findUnknownTools(services, person, agent.tools, previous?.tools)
  if (unknownTools) throw createUnknownProblem('tools', unknownTools.names, unknownTools.message)
  if (agent.agent_class === 'Coordinator') await validateBundle(services, person, agent, previous)
}

async function validateBundle(services: Services, person: Person, agent: AgentRow, previous?: AgentRow): Promise<void> {
  const bundle = getBundleNames(agent)
  if (bundle.length === 0) throw badField('config.bundle', 'A Coordinator needs at least one agent in its bundle.')
  if (bundle.includes(agent.slug) || bundle.includes(agent.id))
    throw badField('config.bundle', 'A Coordinator can’t be in its own bundle.')
  const previousNames = previous ? getBundleNames(previous) : []
  const unavailableNames: string[] = []
  for (const slug of bundle) {
    const isRunnableBy = async (viewer: { id: string }) => {
      const target = await findAgentFor(services, viewer, slug)
      return target !== undefined && canRun(target, viewer)
    }
    const canOwnerRun = agent.owner_id === null || (await isRunnableBy({ id: agent.owner_id }))
    const canEditorRun = previousNames.includes(slug) || agent.owner_id === person.id || (await isRunnableBy(person))
    if (!canOwnerRun || !canEditorRun) unavailableNames.push(slug)
  }
  if (unavailableNames.length === 0) return refuseCycles(services, person, agent)
  const subject = agent.owner_id === person.id ? 'you' : 'you and its owner'
  const quotedNames = unavailableNames.map((slug) => `"${slug}"`).join(', ')
  throw createUnknownProblem(
    'config.bundle',
    unavailableNames,
    `There is no agent ${quotedNames} that ${subject} can run.`,
  )
}

function createUnknownProblem(field: string, names: string[], message: string): Problem {
  return new Problem('bad-input', { message, fields: { [field]: message }, data: { unknown: names } })
}

/** @throws Problem naming the cycle or the too deep path; agents the person can't see are not named */
async function refuseCycles(services: Services, person: Person, agent: AgentRow): Promise<void> {
  const formatPath = (path: readonly string[]) => formatVisiblePath(services, person, agent, path)
  let pathsAtDepth = new Map(getBundleNames(agent).map((name) => [name, [agent.slug, name]]))
  const visitedIds = new Set<string>()
  for (let depth = 1; pathsAtDepth.size > 0; depth += 1) {
    if (depth > toolLimits.depth) {
      const [path = []] = pathsAtDepth.values()
      throw badField(
        'config.bundle',
        `Bundles can be at most ${toolLimits.depth} levels deep: ${await formatPath(path)} is deeper.`,
      )
    }
    const rows = await services.db
      .selectFrom('agents')
      .select(['id', 'slug', 'agent_class', 'config'])
      .where((where) =>
        where.or([where('slug', 'in', [...pathsAtDepth.keys()]), where('id', 'in', [...pathsAtDepth.keys()])]),
      )
      .execute()
    const nextPaths = new Map<string, string[]>()
    for (const row of rows) {
      const path = pathsAtDepth.get(row.slug) ?? pathsAtDepth.get(row.id) ?? []
      // The agent's bundle is the one being saved, not the stored one.
      if (row.id === agent.id || row.slug === agent.slug)
        throw badField('config.bundle', `A Coordinator can’t end up calling itself: ${await formatPath(path)}.`)
      if (row.agent_class !== 'Coordinator' || visitedIds.has(row.id)) continue
      visitedIds.add(row.id)
      for (const name of getBundleNames(row)) if (!nextPaths.has(name)) nextPaths.set(name, [...path, name])
    }
    if (nextPaths.has(agent.slug) || nextPaths.has(agent.id)) {
      const path = nextPaths.get(agent.slug) ?? nextPaths.get(agent.id) ?? []
      throw badField('config.bundle', `A Coordinator can’t end up calling itself: ${await formatPath(path)}.`)
    }
    pathsAtDepth = nextPaths
  }
}

async function formatVisiblePath(
  services: Services,
  person: Person,
  agent: AgentRow,
  path: readonly string[],
): Promise<string> {
  const visibleNames = path.map(async (name) => {
    const isVisible = name === agent.slug || name === agent.id || (await findAgentFor(services, person, name))
    return isVisible ? name : 'another agent'
  })
  return (await Promise.all(visibleNames)).join(' → ')
}
