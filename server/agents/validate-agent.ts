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
  const unknown = await findUnknownTools(services, person, agent.tools, previous?.tools)
  if (unknown) throw createUnknownProblem('tools', unknown.names, unknown.message)
  if (agent.agent_class === 'Coordinator') await validateBundle(services, person, agent, previous)
}

async function validateBundle(services: Services, person: Person, agent: AgentRow, previous?: AgentRow): Promise<void> {
  const bundle = getBundleNames(agent)
  if (bundle.length === 0) throw badField('config.bundle', 'A Coordinator needs at least one agent in its bundle.')
  if (bundle.includes(agent.slug) || bundle.includes(agent.id))
    throw badField('config.bundle', 'A Coordinator can’t be in its own bundle.')
  const previousNames = previous ? getBundleNames(previous) : []
  const missing: string[] = []
  for (const slug of bundle) {
    const isRunnableBy = async (viewer: { id: string }) => {
      const target = await findAgentFor(services, viewer, slug)
      return target !== undefined && canRun(target, viewer)
    }
    const canOwnerRun = agent.owner_id === null || (await isRunnableBy({ id: agent.owner_id }))
    const canEditorRun = previousNames.includes(slug) || agent.owner_id === person.id || (await isRunnableBy(person))
    if (!canOwnerRun || !canEditorRun) missing.push(slug)
  }
  if (missing.length === 0) return refuseCycles(services, person, agent)
  const subject = agent.owner_id === person.id ? 'you' : 'you and its owner'
  const quotedNames = missing.map((slug) => `"${slug}"`).join(', ')
  throw createUnknownProblem('config.bundle', missing, `There is no agent ${quotedNames} that ${subject} can run.`)
}

function createUnknownProblem(field: string, names: string[], message: string): Problem {
  return new Problem('bad-input', { message, fields: { [field]: message }, data: { unknown: names } })
}

/** @throws Problem naming the cycle or the too deep path; agents the person can't see are not named */
async function refuseCycles(services: Services, person: Person, agent: AgentRow): Promise<void> {
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
      // The agent's bundle is the one being saved, not the stored one.
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
