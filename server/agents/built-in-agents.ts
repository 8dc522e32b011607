import { completeSettings } from '#contract/agents/model-settings.ts'
import type { Services } from '#server/services.ts'
import { toStoredAgent } from './agent-insert.ts'
import type { AgentRow } from './agent-row.ts'
import { getDefaultModel } from './default-model.ts'
import { buildMissingVersionInsert } from './versions/write-version.ts'

type BuiltIn = Pick<
  AgentRow,
  'slug' | 'name' | 'purpose' | 'agent_class' | 'context_scope' | 'memory_enabled' | 'config' | 'visibility'
>

const builtIns: BuiltIn[] = [
  {
    slug: 'type-agent',
    name: 'Type Agent',
    purpose:
      'Turns a description of what someone wants to keep into a keeper type: its name, its purpose and the memory pattern that fits.',
    agent_class: 'Standard',
    context_scope: 'user_input',
    memory_enabled: false,
    config: {},
    visibility: 'private',
  },
  {
    slug: 'platform-agent',
    name: 'Platform Agent',
    purpose:
      'Answers questions about this Keeper: where things are, how they work, and which agent to make for a task.',
    agent_class: 'Standard',
    context_scope: 'platform_wide',
    memory_enabled: false,
    config: {},
    visibility: 'private',
  },
  {
    slug: 'code-agent',
    name: 'Code Agent',
    purpose: 'Reads, explains and writes code, and says plainly when it is not sure.',
    agent_class: 'Standard',
    context_scope: 'codebase',
    memory_enabled: false,
    config: {},
    visibility: 'private',
  },
  {
    slug: 'kip',
    name: 'Kip',
    purpose: 'The guide of this Keeper. Answers questions about keepers and agents and shows where things live.',
    agent_class: 'Lead',
    context_scope: 'platform_wide',
    memory_enabled: true,
    config: {
      tagline: 'Knows where everything is kept, and what is not worth keeping.',
      personality: 'Calm, brief and concrete.',
      avatar: 'K',
      theme_color: '#b27a1c',
    },
    visibility: 'public',
  },
  {
    slug: 'ceox',
    name: 'CeoX',
    purpose: 'Weighs decisions with you: lays out the options, asks for what is missing, and keeps to what was said.',
    agent_class: 'Lead',
    context_scope: 'user_input',
    memory_enabled: true,
    config: {
      tagline: 'Weighs decisions with you.',
      personality: 'Direct, fair, and never in a hurry.',
      avatar: 'C',
      theme_color: '#34507a',
    },
    visibility: 'public',
  },
]

export async function addBuiltInAgents(services: Services): Promise<void> {
  const { db } = services
  const now = services.now().getTime()
  const rows = builtIns.map(
    (builtIn, index): AgentRow => ({
      ...builtIn,
      // Fixed ids, so that two processes starting together add each agent only once.
      id: `built-in-${builtIn.slug}`,
      owner_id: null,
      tools: [],
      permissions: [],
      status: 'ready',
      model_provider: 'openai',
      model_settings: completeSettings('openai', getDefaultModel(services, 'openai')),
      // 1 ms apart for a stable order.
      created_at: now - index,
      updated_at: now,
      rev: 1,
      visitors_spend_owner_key: false,
      visitor_daily_micros: null,
    }),
  )
  await db.batch(
    rows.map((row) =>
      db
        .insertInto('agents')
        .values(toStoredAgent(row))
        .onConflict((conflict) => conflict.doNothing()),
    ),
  )
  const unversionedAgents = await db
    .selectFrom('agents')
    .selectAll()
    .where('owner_id', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('agent_versions')
            .select('agent_versions.rev')
            .whereRef('agent_versions.agent_id', '=', 'agents.id')
            .whereRef('agent_versions.rev', '=', 'agents.rev'),
        ),
      ),
    )
    .execute()
  await db.batch(unversionedAgents.map((row) => buildMissingVersionInsert(services, row)))
}
