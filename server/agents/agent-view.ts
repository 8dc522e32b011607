import type { Selectable } from 'kysely'
import type { Agent, AgentConfig, PublicAgent } from '#contract/agents/agents.ts'
import type { AgentSnapshot } from '#contract/agents/versions.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { toDollars } from '#server/values/dollars.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { canDelete, canEdit, canRun, canShare, type VisibleAgent } from './agent-access.ts'

export function toAgentView(row: VisibleAgent, person: Person): Agent {
  return {
    ...toSnapshot(row),
    id: row.id,
    model: row.model_settings.model,
    created_at: toIsoTime(row.created_at),
    updated_at: toIsoTime(row.updated_at),
    rev: row.rev,
    owner_id: row.owner_id,
    may: {
      run: row.status === 'ready' && canRun(row, person),
      edit: canEdit(row, person),
      share: canShare(row, person),
      remove: canDelete(row, person),
    },
  }
}

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
    visitor_daily_usd: toDollars(row.visitor_daily_micros),
  }
}

/** The purpose is the model's instruction, so visitors see it only when there is no tagline. */
export function toPublicAgentView(row: AgentRow): PublicAgent {
  const { avatar, theme_color } = row.config
  const tagline = cleanOneLine(row.config.tagline ?? '')
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    purpose: tagline ? '' : row.purpose,
    agent_class: row.agent_class,
    memory_enabled: row.memory_enabled,
    config: { ...(tagline && { tagline }), ...(avatar && { avatar }), ...(theme_color && { theme_color }) },
  }
}

/** In place of the id of an agent that is tried before it is saved. */
export const trialAgentId = 'trial'

export type AgentRow = Selectable<Schema['agents']>

/** Trimmed and deduplicated, because older rows were stored without normalization. */
export function getBundleNames({ config }: { config: AgentConfig }): string[] {
  return [...new Set((config.bundle ?? []).map((name) => name.trim()).filter(Boolean))]
}

export function normalizeConfig(config: AgentConfig): AgentConfig {
  return config.bundle ? { ...config, bundle: getBundleNames({ config }) } : config
}
