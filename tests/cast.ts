import type { NewAgent } from '#contract/agents/agents.ts'
import { newAgent } from '#contract/agents/agents.ts'
import { authenticate } from '#server/accounts/authenticate.ts'
import { register } from '#server/accounts/register.ts'
import { createAgent } from '#server/agents/save-agent.ts'
import type { Services } from '#server/services.ts'

/** Shared by tests, development data and journeys. All of them are fictional. */
export const cast = {
  /** Owns most things. */
  ada: { name: 'Ada Lindqvist', email: 'ada@willowbrook.example', password: 'harbour-lamp-41' },
  /** Another person; later a member of Ada's domain. */
  ben: { name: 'Ben Haugen', email: 'ben@willowbrook.example', password: 'quay-choir-tenor-8' },
  /** Runs the platform. */
  cleo: { name: 'Cleo Aas', email: 'cleo@willowbrook.example', password: 'tidal-clock-key-19' },
  /** Has no provider key. */
  dot: { name: 'Dot Moe', email: 'dot@willowbrook.example', password: 'garden-gate-open-3' },
} as const
export type CastName = keyof typeof cast

const adasAgents: NewAgent[] = [
  {
    name: 'Harbour Keeper',
    purpose: 'Reads the day’s moments in The Harbour Year and drafts a reflection only when something repeats.',
    context_scope: 'keeper',
    memory_enabled: true,
    tools: ['search_memory', 'read_sole', 'list_moments', 'write_reflection'],
    model_provider: 'anthropic',
  },
  {
    name: 'Evening Round',
    purpose: 'Runs each night: gathers moments, asks the type agent, then hands drafts to the reviewer.',
    agent_class: 'Coordinator',
    context_scope: 'keeper',
    config: { bundle: ['type-agent', 'harbour-keeper'] },
    model_settings: { max_tokens: 4000, temperature: 0.1 },
  },
  {
    name: 'Recipe Reader',
    purpose: 'Turns photographed recipe cards into logbook entries and flags the words it could not read.',
    model_provider: 'together',
    status: 'error',
  },
]

/** Registers the cast through the real API functions and gives Ada her agents. Expects an empty installation. */
export async function seedCast(services: Services): Promise<void> {
  for (const [name, person] of Object.entries(cast)) {
    const { user, token } = await register(services, person, '127.0.0.1')
    if (name === 'cleo') {
      await services.db
        .insertInto('role_grants')
        .values({ person_id: user.id, role: 'super-admin', granted_at: services.now().getTime(), granted_by: null })
        .execute()
    }
    if (name !== 'ada') continue
    const ada = await authenticate(services, token)
    if (!ada) throw new Error('Ada failed to sign in')
    for (const agent of adasAgents) {
      const { status, ...fields } = newAgent.parse(agent)
      const createdAgent = await createAgent(services, ada, fields)
      if (status) await services.db.updateTable('agents').set({ status }).where('id', '=', createdAgent.id).execute()
    }
  }
}
