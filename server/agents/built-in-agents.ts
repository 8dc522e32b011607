import { builtInAgents } from '#contract/agents/built-in-agents.ts'
import { completeSettings } from '#contract/agents/model-settings.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-view.ts'
import { getDefaultModel } from './default-model.ts'
import { toStoredAgent } from './save-agent.ts'
import { buildMissingVersionInsert } from './versions/write-version.ts'

export async function addBuiltInAgents(services: Services): Promise<void> {
  const { db } = services
  const now = services.now().getTime()
  const rows = builtInAgents.map(
    (builtIn, index): AgentRow => ({
      ...builtIn,
      visibility: builtIn.agent_class === 'Lead' ? 'public' : 'private',
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
