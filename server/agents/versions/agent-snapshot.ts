import { completeSettings } from '#contract/agents/model-settings.ts'
import { type AgentSnapshot, agentSnapshot } from '#contract/agents/versions.ts'
import type { AgentRow } from '../agent-row.ts'

export function toSnapshot(row: AgentRow): AgentSnapshot {
  return {
    name: row.name,
    slug: row.slug,
    purpose: row.purpose,
    agent_class: row.agent_class,
    context_scope: row.context_scope,
    memory_enabled: row.memory_enabled,
    tools: row.tools,
    permissions: row.permissions,
    config: row.config,
    status: row.status,
    model_provider: row.model_provider,
    model_settings: row.model_settings,
    visibility: row.visibility,
    visitors_spend_owner_key: row.visitors_spend_owner_key,
    visitor_daily_usd: row.visitor_daily_micros === null ? null : row.visitor_daily_micros / 1_000_000,
  }
}

const defaultSnapshot: AgentSnapshot = {
  name: '',
  slug: '',
  purpose: '',
  agent_class: 'Standard',
  context_scope: 'user_input',
  memory_enabled: false,
  tools: [],
  permissions: [],
  config: {},
  status: 'ready',
  model_provider: 'openai',
  model_settings: completeSettings('openai', undefined),
  visibility: 'private',
  visitors_spend_owner_key: false,
  visitor_daily_usd: null,
}

export function readSnapshot(stored: unknown): AgentSnapshot {
  const fields = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const entries = Object.entries(agentSnapshot.shape).map(([field, schema]) => {
    const parsed = schema.safeParse(fields[field])
    return [field, parsed.success ? parsed.data : defaultSnapshot[field as keyof AgentSnapshot]]
  })
  const snapshot = Object.fromEntries(entries) as AgentSnapshot
  const settings = agentSnapshot.shape.model_settings.safeParse(fields.model_settings)
  if (settings.success) return snapshot
  const partialSettings = (typeof fields.model_settings === 'object' ? fields.model_settings : {}) as object
  const completed = agentSnapshot.shape.model_settings.safeParse(
    completeSettings(snapshot.model_provider, partialSettings),
  )
  return {
    ...snapshot,
    model_settings: completed.success ? completed.data : completeSettings(snapshot.model_provider, undefined),
  }
}
