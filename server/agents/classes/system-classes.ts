import type { ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { AgentClass } from '#contract/agents/agent-constants.ts'
import { coordinatorSettings } from '#contract/agents/model-settings.ts'
import { json } from '#server/db/database.ts'
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

export async function addSystemClasses(services: Services): Promise<void> {
  const now = services.now().getTime()
  await services.db.batch(
    systemClasses.map(({ base, description, defaults }, index) =>
      services.db
        .insertInto('agent_classes')
        .values({
          // Fixed ids, so that two processes starting together add each class only once.
          id: `system-${base.toLowerCase()}`,
          owner_id: null,
          slug: base.toLowerCase(),
          name: base,
          description,
          system: true,
          base,
          defaults: json(defaults),
          created_at: now + index,
          updated_at: now + index,
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
  )
}
