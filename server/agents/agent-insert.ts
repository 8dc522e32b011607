import type { AgentConfig } from '#contract/agents/agents.ts'
import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { type Database, type JsonText, json, preparedInsert, type Write } from '#server/db/database.ts'
import type { AgentRow } from './agent-row.ts'

type StoredAgent = Omit<AgentRow, 'tools' | 'permissions' | 'config' | 'model_settings'> & {
  tools: JsonText<string[]>
  permissions: JsonText<string[]>
  config: JsonText<AgentConfig>
  model_settings: JsonText<ModelSettings>
}

export function toStoredAgent(row: AgentRow): StoredAgent {
  return {
    id: row.id,
    owner_id: row.owner_id,
    slug: row.slug,
    name: row.name,
    purpose: row.purpose,
    agent_class: row.agent_class,
    context_scope: row.context_scope,
    memory_enabled: row.memory_enabled,
    tools: json(row.tools),
    permissions: json(row.permissions),
    config: json(row.config),
    status: row.status,
    model_provider: row.model_provider,
    model_settings: json(row.model_settings),
    visibility: row.visibility,
    created_at: row.created_at,
    updated_at: row.updated_at,
    rev: row.rev,
    visitors_spend_owner_key: row.visitors_spend_owner_key,
    visitor_daily_micros: row.visitor_daily_micros,
  }
}

export function buildAgentInsert(db: Database, row: AgentRow): Write {
  return insertAgent.with(db, toStoredAgent(row))
}

const insertAgent = preparedInsert('agents')
