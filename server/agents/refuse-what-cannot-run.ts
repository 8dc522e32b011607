import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor, mayRun } from './agent-access.ts'
import type { AgentRow } from './agent-row.ts'
import { bundleOf } from './bundle-of.ts'
import { refuseCycles } from './refuse-cycles.ts'
import { knownToolNames } from './tools/known-tools.ts'

/**
 * Bundled agents run on the owner's account, so both the owner and the editor who adds one must be able to run it.
 * @param previous the saved agent, whose bundle the person need not be able to see
 */
export async function refuseWhatCannotRun(
  services: Services,
  person: Person,
  agent: AgentRow,
  before?: AgentRow,
): Promise<void> {
  if (agent.agent_class === 'Persona') throw badField('agent_class', 'Persona is coming soon.')
  // Existing tools stay valid, so that an unreachable tool server never blocks other edits.
  const newTools = agent.tools.filter((tool) => !before?.tools.includes(tool))
  const knownTools = newTools.length > 0 ? await knownToolNames(services, person, newTools) : []
  const unknownTools = newTools.filter((tool) => !knownTools.includes(tool))
  if (unknownTools.length > 0)
    throw unknown('tools', unknownTools, `Unknown: ${unknownTools.join(', ')}. Available tools: ${knownTools.join(', ')}.`)
  if (agent.agent_class === 'Coordinator') await refuseBundle(services, person, agent, before)
}

async function refuseBundle(services: Services, person: Person, agent: AgentRow, before?: AgentRow): Promise<void> {
  const bundle = bundleOf(agent)
  if (bundle.length === 0) throw badField('config.bundle', 'A Coordinator needs at least one agent in its bundle.')
  if (bundle.includes(agent.slug) || bundle.includes(agent.id))
    throw badField('config.bundle', "A Coordinator can't be in its own bundle.")
  const known = before ? bundleOf(before) : []
  const missing: string[] = []
  for (const slug of bundle) {
    const may = async (who: { id: string }) => {
      const found = await findAgentFor(services, who, slug)
      return found !== undefined && mayRun(found, who)
    }
    const ownerMay = agent.owner_id === null || (await may({ id: agent.owner_id }))
    const adderMay = known.includes(slug) || agent.owner_id === person.id || (await may(person))
    if (!ownerMay || !adderMay) missing.push(slug)
  }
  if (missing.length === 0) return refuseCycles(services, person, agent)
  const whose = agent.owner_id === person.id ? 'you' : 'you and its owner'
  const named = missing.map((slug) => `"${slug}"`).join(', ')
  throw unknown('config.bundle', missing, `There is no agent ${named} that ${whose} can run.`)
}

function unknown(field: string, names: string[], message: string): Problem {
  return new Problem('bad-input', { message, fields: { [field]: message }, data: { unknown: names } })
}
