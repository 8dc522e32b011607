import type * as z from 'zod/mini'
import type { Agent, agentChanges, newAgent } from '#contract/agents/agents.ts'
import { withLeadAppearance } from '#contract/agents/lead-appearance.ts'
import { completeSettings, coordinatorSettings, type ModelSettings } from '#contract/agents/model-settings.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { batchSize, json, prepareInsert, requireChanges, type Write, writeInBatches } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import { findEarlierCreation } from '#server/db/insert-with-slug.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toMicros } from '#server/values/dollars.ts'
import {
  canDelete,
  canSetVisibility,
  requireAgentFor,
  requireEditableAgent,
  type VisibleAgent,
} from './agent-access.ts'
import { type AgentRow, normalizeConfig, toAgentView, toSnapshot } from './agent-view.ts'
import { getDefaultModel } from './default-model.ts'
import { batchWithinPublicLimit, limitPublicAgents } from './limit-public-agents.ts'
import { findViewerIds, notifyViewers } from './sharing/grants.ts'
import { buildSlugGuard, createFreeSlug, refuseInvalidSlug, reserveSlug } from './slugs.ts'
import { validateAgent } from './validate-agent.ts'
import { buildMissingVersionInsert, buildVersionInsert, toStoredSnapshot } from './versions/write-version.ts'

export type NewAgentFields = z.output<typeof newAgent>
export type AgentChangeFields = z.output<typeof agentChanges>

interface AgentCreation {
  origin: 'created' | 'imported'
  extraWrites?: (agentId: string) => Write[]
}

export async function createAgent(
  services: Services,
  person: Person,
  input: NewAgentFields,
  creation: AgentCreation = { origin: 'created' },
  // Generated once, so that a retry of the create produces the same agent.
  id = services.newId(),
): Promise<Agent> {
  const slug = input.slug || (await createFreeSlug(services, input.name, person.id))
  refuseInvalidSlug(slug)
  const status = creation.origin === 'imported' && input.status === 'error' ? 'error' : 'ready'
  const row: AgentRow = { ...buildNewAgent(services, person, input), id, slug, status }
  await validateAgent(services, person, row)
  await limitPublicAgents(services, row)
  const writes = [
    buildSlugGuard(services, slug, person.id),
    insertAgent.bind(services.db, toStoredAgent(row)),
    ...(creation.origin === 'imported'
      ? [buildVersionInsert(services, row, { authorId: person.id, origin: 'imported' })]
      : []),
    ...(creation.extraWrites?.(row.id) ?? []),
  ]
  try {
    await mapSlugConflict(() => batchWithinPublicLimit(services, writes, row), { hasSlugGuard: true })
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'slug-taken') throw error
    const repeatedCreation = await findEarlierCreation(services, 'agents', id, error)
    if (repeatedCreation) throw repeatedCreation
    if (!input.slug) return createAgent(services, person, input, creation, id)
    throw error
  }
  services.live.publish(person.id, { type: 'agents-changed' })
  return toAgentView(row, person)
}

/** A new agent with its defaults, without id, slug and status. */
export function buildNewAgent(
  services: Services,
  person: Person,
  input: NewAgentFields,
): Omit<AgentRow, 'id' | 'slug' | 'status'> {
  const provider = input.model_provider ?? 'openai'
  const now = services.now().getTime()
  return {
    owner_id: person.id,
    name: input.name,
    purpose: input.purpose,
    agent_class: input.agent_class ?? 'Standard',
    context_scope: input.context_scope ?? 'user_input',
    memory_enabled: input.memory_enabled ?? false,
    tools: normalizeNames(input.tools),
    permissions: normalizeNames(input.permissions),
    config: normalizeConfig(withLeadAppearance(input.agent_class ?? 'Standard', input.config ?? {})),
    model_provider: provider,
    model_settings: completeSettings(provider, {
      ...getDefaultModel(services, provider),
      ...(input.agent_class === 'Coordinator' && coordinatorSettings),
      ...withModel(input.model_settings, input.model),
    }),
    visibility: input.visibility ?? 'private',
    created_at: now,
    updated_at: now,
    rev: 1,
    visitors_spend_owner_key: input.visitors_spend_owner_key ?? false,
    visitor_daily_micros: toMicros(input.visitor_daily_usd),
  }
}

/** A new provider resets the model settings; without `ifMatch` the last write wins. @throws Problem `stale` with both versions */
export async function updateAgent(
  services: Services,
  person: Person,
  changes: AgentChangeFields,
  ifMatch: number | null,
  restoredRev?: number,
): Promise<Agent> {
  const existing = await requireEditableAgent(services, person, changes.id)
  const updated = withChanges(services, existing, changes)
  if (!canSetVisibility(existing, person)) refuseOwnerOnlyChanges(existing, updated)
  const isRenamed = updated.slug !== existing.slug
  if (isRenamed) refuseInvalidSlug(updated.slug)
  await validateAgent(services, person, updated, existing)
  await limitPublicAgents(services, updated, existing)
  const goldenRunId = changes.golden_run_id ?? null
  if (goldenRunId !== null) await refuseForeignGoldenRun(services, existing.id, goldenRunId)

  const createStaleProblem = async () => {
    const current = await requireAgentFor(services, person, existing.id)
    return new Problem('stale', {
      data: { yours: toAgentView(updated, person), current: toAgentView(current, person) },
    })
  }
  if (ifMatch !== null && ifMatch !== existing.rev) throw await createStaleProblem()
  const slugWrites = isRenamed
    ? [
        buildSlugGuard(services, updated.slug, existing.owner_id),
        reserveSlug(services, existing.slug, existing.owner_id),
      ]
    : []
  const previous = { rev: existing.rev, snapshot: toSnapshot(existing) }
  const snapshot = await toStoredSnapshot(services, existing.id, toSnapshot(updated), previous, restoredRev)
  const versionOrigin = restoredRev === undefined ? 'saved' : 'restored'
  const version = { authorId: person.id, origin: versionOrigin, restoredRev, goldenRunId } as const
  const writes = [
    ...slugWrites,
    buildMissingVersionInsert(services, existing),
    requireChanges(
      services.db
        .updateTable('agents')
        .set(toStoredAgent(updated))
        .where('id', '=', existing.id)
        .where('rev', '=', existing.rev),
    ),
    buildVersionInsert(services, updated, version, snapshot),
    ...(existing.owner_id === null
      ? [insertAudit(services, { action: 'built-in-agent-changed', actor: person, subject: existing.slug })]
      : []),
  ]
  try {
    await mapSlugConflict(() => batchWithinPublicLimit(services, writes, updated, existing), {
      hasSlugGuard: isRenamed,
    })
  } catch (error) {
    // Deleting an agent deletes its versions, which breaks the foreign key.
    if (error instanceof ForeignKeyViolation) await requireAgentFor(services, person, existing.id)
    if (!isConcurrentSave(error)) throw error
    if (ifMatch === null) return updateAgent(services, person, changes, null, restoredRev)
    throw await createStaleProblem()
  }
  notifyViewers(services, [person.id, ...(await findViewerIds(services, updated))])
  return toAgentView(updated, person)
}

export function withChanges(
  services: Services,
  existing: VisibleAgent,
  changes: Partial<AgentChangeFields>,
): VisibleAgent {
  const provider = changes.model_provider ?? existing.model_provider
  const existingSettings =
    provider === existing.model_provider
      ? existing.model_settings
      : completeSettings(provider, getDefaultModel(services, provider))
  const agentClass = changes.agent_class ?? existing.agent_class
  const config = changes.config ? normalizeConfig(changes.config) : existing.config
  return {
    ...existing,
    name: changes.name ?? existing.name,
    slug: changes.slug || existing.slug,
    purpose: changes.purpose ?? existing.purpose,
    agent_class: agentClass,
    context_scope: changes.context_scope ?? existing.context_scope,
    memory_enabled: changes.memory_enabled ?? existing.memory_enabled,
    tools: changes.tools ? normalizeNames(changes.tools) : existing.tools,
    permissions: changes.permissions ? normalizeNames(changes.permissions) : existing.permissions,
    config: changes.config || agentClass !== existing.agent_class ? withLeadAppearance(agentClass, config) : config,
    status: changes.status ?? existing.status,
    visibility: changes.visibility ?? existing.visibility,
    model_provider: provider,
    model_settings: completeSettings(provider, {
      ...existingSettings,
      ...withModel(changes.model_settings, changes.model),
    }),
    updated_at: services.now().getTime(),
    rev: existing.rev + 1,
    visitors_spend_owner_key: changes.visitors_spend_owner_key ?? existing.visitors_spend_owner_key,
    visitor_daily_micros:
      changes.visitor_daily_usd === undefined ? existing.visitor_daily_micros : toMicros(changes.visitor_daily_usd),
  }
}

function normalizeNames(names: string[] = []): string[] {
  if (names.length === 0) return []
  return [...new Set(names.map((name) => name.trim()).filter(Boolean))]
}

function withModel(settings: Partial<ModelSettings> | undefined, model: string | undefined): Partial<ModelSettings> {
  return { ...settings, ...(model !== undefined && settings?.model === undefined && { model }) }
}

function refuseOwnerOnlyChanges(existing: AgentRow, updated: AgentRow): void {
  const fields: Record<string, string> = {}
  if (updated.visibility !== existing.visibility) fields.visibility = 'Only the agent’s owner can change who sees it.'
  const spendingMessage = 'Only the agent’s owner can change what visitors can spend.'
  if (updated.visitors_spend_owner_key !== existing.visitors_spend_owner_key)
    fields.visitors_spend_owner_key = spendingMessage
  if (updated.visitor_daily_micros !== existing.visitor_daily_micros) fields.visitor_daily_usd = spendingMessage
  const [message] = Object.values(fields)
  if (message) throw new Problem('forbidden', { message, fields })
}

async function refuseForeignGoldenRun(services: Services, agentId: string, goldenRunId: string): Promise<void> {
  const run = await services.db
    .selectFrom('golden_runs')
    .select('id')
    .where('id', '=', goldenRunId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  if (!run) throw badField('golden_run_id', 'That isn’t a golden run of this agent.')
}

/** @param hasSlugGuard whether the batch starts with `buildSlugGuard` */
async function mapSlugConflict<T>(write: () => Promise<T>, { hasSlugGuard }: { hasSlugGuard: boolean }): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const isTakenByAgent = error instanceof UniqueViolation && error.columns.includes('slug')
    const isReserved = hasSlugGuard && error instanceof UnexpectedChanges && error.index === 0
    if (isTakenByAgent || isReserved)
      throw new Problem('slug-taken', { fields: { slug: 'This slug is taken. Choose another one.' } })
    throw error
  }
}

function isConcurrentSave(error: unknown): boolean {
  return error instanceof UnexpectedChanges || (error instanceof UniqueViolation && error.table === 'agent_versions')
}

export function toStoredAgent(agent: VisibleAgent) {
  const { may_run: _run, may_edit: _edit, may_share: _share, may_delete: _delete, ...row } = agent
  return {
    ...row,
    tools: json(row.tools),
    permissions: json(row.permissions),
    config: json(row.config),
    model_settings: json(row.model_settings),
  }
}

const insertAgent = prepareInsert('agents')

export async function removeAgent(services: Services, person: Person, idOrSlug: string): Promise<void> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!canDelete(agent, person)) {
    throw new Problem('forbidden', {
      message:
        agent.owner_id === null
          ? 'The agents that come with Keeper can’t be deleted.'
          : 'Only the owner of this agent and people with the right to delete it can do that.',
    })
  }
  const viewerIds = await findViewerIds(services, agent)
  await deleteHistoryInBatches(services, agent.id)
  try {
    await services.db.batch([
      reserveSlug(services, agent.slug, agent.owner_id),
      requireChanges(services.db.deleteFrom('agents').where('id', '=', agent.id)),
    ])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw new Problem('not-found', { message: 'Agent not found' })
    throw error
  }
  notifyViewers(services, [person.id, ...viewerIds])
}

/** Deletes sessions and runs in small batches, so that other writes can run in between. One batch is left to the cascade. */
async function deleteHistoryInBatches({ db }: Services, agentId: string): Promise<void> {
  for (const table of ['chat_sessions', 'runs'] as const) {
    const rows = db.selectFrom(table).select('id').where('agent_id', '=', agentId)
    const nextBatch = rows.limit(batchSize).offset(batchSize)
    await writeInBatches(db, db.deleteFrom(table).where('id', 'in', nextBatch))
  }
}
