import type { ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { AgentClass } from '#contract/agents/agent-words.ts'
import { coordinatorSettings } from '#contract/agents/model-settings.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

const systemClasses: { base: AgentClass; description: string; defaults: ClassDefaults }[] = [
  {
    base: 'Standard',
    description: 'Does one thing well, when it is asked or when another agent hands it over.',
    defaults: { model_provider: 'openai', context_scope: 'user_input', visibility: 'private' },
  },
  {
    base: 'Coordinator',
    description: 'Divides a task among the agents of its bundle and puts their answers together.',
    defaults: {
      model_provider: 'openai',
      model_settings: coordinatorSettings,
      context_scope: 'user_input',
      visibility: 'private',
    },
  },
  {
    base: 'Lead',
    description: 'Has a page of its own where people talk to it.',
    defaults: { model_provider: 'openai', context_scope: 'user_input', visibility: 'private' },
  },
  {
    base: 'Persona',
    description: 'Will speak as somebody. Coming soon: no agent can be of this class yet.',
    defaults: {},
  },
]

/** Adds the agent classes that come with Keeper where they are missing. */
export async function addSystemClasses(services: Services): Promise<void> {
  const now = services.now().getTime()
  await services.db.batch(
    systemClasses.map(({ base, description, defaults }, index) =>
      services.db
        .insertInto('agent_classes')
        .values({
          // The same on every installation, so that two processes that start at once add each once.
          id: `system-${base.toLowerCase()}`,
          owner_id: null,
          slug: base.toLowerCase(),
          name: base,
          description,
          system: true,
          base,
          defaults: json(defaults),
          // One millisecond apart, so that their order is always the same.
          created_at: now + index,
          updated_at: now + index,
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
  )
}
