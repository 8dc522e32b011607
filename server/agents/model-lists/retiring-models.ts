import type { Provider } from '#contract/agents/model-settings.ts'
import type { RetiringModel } from '#contract/agents/models.ts'
import type { Person } from '#server/accounts/person.ts'
import { getLifecycle, type ModelLifecycle } from '#server/models/catalog/model-lifecycle.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { listAgents } from '../list-agents.ts'
import { fetchModelListing, toLifecycleFields } from './provider-lists.ts'

const warnBeforeMs = 60 * dayMs

export async function listRetiringModels(services: Services, person: Person): Promise<RetiringModel[]> {
  const { agents } = await listAgents(services, person)
  const editableAgents = agents.filter(({ may }) => may.edit)
  const providers = [...new Set(editableAgents.map(({ model_provider }) => model_provider))]
  const states = new Map(
    await Promise.all(
      providers.map(
        async (provider: Provider) => [provider, await fetchModelListing(services, person, provider)] as const,
      ),
    ),
  )
  const retiringAgents = editableAgents.flatMap((agent) => {
    const state = states.get(agent.model_provider)
    if (!state) return []
    const lifecycle = getLifecycle(agent.model_provider, agent.model, state, services.now())
    if (!isRetiringSoon(lifecycle, services.now())) return []
    return [{ agent, lifecycle }]
  })
  const agentsWithQuestions = await findAgentsWithQuestions(
    services,
    retiringAgents.map(({ agent }) => agent.id),
  )
  return retiringAgents.map(({ agent, lifecycle }) => ({
    agent_id: agent.id,
    agent_name: agent.name,
    rev: agent.rev,
    provider: agent.model_provider,
    model: agent.model,
    ...toLifecycleFields(lifecycle),
    can_compare:
      agentsWithQuestions.has(agent.id) &&
      agent.may.run &&
      agent.status === 'ready' &&
      agent.model_provider !== 'elevenlabs',
  }))
}

async function findAgentsWithQuestions({ db }: Services, agentIds: string[]): Promise<ReadonlySet<string>> {
  if (agentIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('golden_questions')
    .select('agent_id')
    .distinct()
    .where('agent_id', 'in', agentIds)
    .execute()
  return new Set(rows.map(({ agent_id }) => agent_id))
}

function isRetiringSoon({ status, shutdownDate }: ModelLifecycle, now: Date): boolean {
  if (status === 'shut-down') return true
  return shutdownDate !== null && Date.parse(shutdownDate) - now.getTime() <= warnBeforeMs
}
