import { completeSettings } from '#contract/agents/model-settings.ts'
import { type AgentSnapshot, agentSnapshot } from '#contract/agents/versions.ts'
import type { AgentRow } from '../agent-row.ts'

export function snapshotOf(row: AgentRow): AgentSnapshot {
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

/** Defaults for fields that an old snapshot lacks or stores in an outdated format. */
const whatANewAgentHas: AgentSnapshot = {
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

/** Reads a snapshot of any earlier version field by field, so that a changed shape affects only that field. */
export function readSnapshot(kept: unknown): AgentSnapshot {
  const given = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>
  const entries = Object.entries(agentSnapshot.shape).map(([field, schema]) => {
    const parsed = schema.safeParse(given[field])
    return [field, parsed.success ? parsed.data : whatANewAgentHas[field as keyof AgentSnapshot]]
  })
  const read = Object.fromEntries(entries) as AgentSnapshot
  const settings = agentSnapshot.shape.model_settings.safeParse(given.model_settings)
  if (settings.success) return read
  const partly = (typeof given.model_settings === 'object' ? given.model_settings : {}) as object
  const completed = agentSnapshot.shape.model_settings.safeParse(completeSettings(read.model_provider, partly))
  return {
    ...read,
    model_settings: completed.success ? completed.data : completeSettings(read.model_provider, undefined),
  }
}
