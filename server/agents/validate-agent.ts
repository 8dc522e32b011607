import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { canRun, findAgentFor } from './agent-access.ts'
import { getBundleNames } from './agent-bundle.ts'
import type { AgentRow } from './agent-row.ts'
import { refuseCycles } from './refuse-cycles.ts'
import { listToolNames } from './tools/available-tools.ts'

/** Bundled agents run on the owner's account, so the owner and the editor who adds one must both be able to run it. */
export async function validateAgent(
  services: Services,
  person: Person,
  agent: AgentRow,
  previous?: AgentRow,
): Promise<void> {
  if (agent.agent_class === 'Persona') throw badField('agent_class', 'Persona is coming soon.')
  const newTools = agent.tools.filter((tool) => !previous?.tools.includes(tool))
  const availableTools = newTools.length > 0 ? await listToolNames(services, person, newTools) : []
  const unknownTools = newTools.filter((tool) => !availableTools.includes(tool))
  if (unknownTools.length > 0)
    throw createUnknownProblem(
      'tools',
      unknownTools,
      `Unknown tools: ${unknownTools.join(', ')}. Available tools: ${availableTools.join(', ')}.`,
    )
  if (agent.agent_class === 'Coordinator') await refuseBundle(services, person, agent, previous)
}

async function refuseBundle(services: Services, person: Person, agent: AgentRow, previous?: AgentRow): Promise<void> {
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
