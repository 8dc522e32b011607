import type { Provider } from '#contract/agents/model-settings.ts'
import type { EndingModel } from '#contract/agents/models.ts'
import type { Person } from '#server/accounts/person.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { getLifecycle, type ModelLifecycle } from '#server/models/catalog/model-lifecycle.ts'
import type { Services } from '#server/services.ts'
import { listAgents } from '../list-agents.ts'
import { listedState, toLifecycleFields } from './provider-lists.ts'

/** Models that end later than this ask nobody to do anything yet. */
const warnMs = 60 * dayMs

/** Agents this person may edit whose model is shut down, or will be soon; of their newest thousand. */
export async function listEndingModels(services: Services, person: Person): Promise<EndingModel[]> {
  const { agents } = await listAgents(services, person)
  const editable = agents.filter(({ may }) => may.edit)
  const ids = [...new Set(editable.map(({ model_provider }) => model_provider))]
  const states = new Map(
    await Promise.all(
      ids.map(async (provider: Provider) => [provider, await listedState(services, person, provider)] as const),
    ),
  )
  return editable.flatMap((agent) => {
    const state = states.get(agent.model_provider)
    if (!state) return []
    const lifecycle = getLifecycle(agent.model_provider, agent.model, state, services.now())
    if (!endsSoon(lifecycle, services.now())) return []
    return [
      {
        agent_id: agent.id,
        agent_name: agent.name,
        rev: agent.rev,
        provider: agent.model_provider,
        model: agent.model,
        ...toLifecycleFields(lifecycle),
      },
    ]
  })
}

function endsSoon({ status, shutdownDate }: ModelLifecycle, now: Date): boolean {
  if (status === 'shut-down') return true
  return shutdownDate !== null && Date.parse(shutdownDate) - now.getTime() <= warnMs
}
