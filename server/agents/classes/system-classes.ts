import type { ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { AgentClass } from '#contract/agents/agent-constants.ts'
import { coordinatorSettings } from '#contract/agents/model-settings.ts'
import { insertSystemEntries } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

const systemClasses: { base: AgentClass; description: string; defaults: ClassDefaults }[] = [
  {
    base: 'Standard',
    description: 'Does one thing well, on request or when another agent delegates to it.',
    defaults: { model_provider: 'openai', context_scope: 'user_input', visibility: 'private' },
  },
  {
    base: 'Coordinator',
    description: 'Splits a task among the agents in its bundle and combines their answers.',
    defaults: {
      model_provider: 'openai',
      model_settings: coordinatorSettings,
      context_scope: 'user_input',
      visibility: 'private',
    },
  },
  {
    base: 'Lead',
    description: 'Has its own page where people talk to it.',
    defaults: { model_provider: 'openai', context_scope: 'user_input', visibility: 'private' },
  },
  {
    base: 'Persona',
    description: 'Will speak as a specific person. Coming soon: no agent can have this class yet.',
    defaults: {},
  },
]

export const insertSystemClasses = (services: Services): Write[] =>
  insertSystemEntries(
    services,
    'agent_classes',
    systemClasses.map((entry) => ({ ...entry, slug: entry.base.toLowerCase(), name: entry.base })),
  )
