import type * as z from 'zod/mini'
import type { Agent, agentChanges, newAgent } from '#contract/agents/agents.ts'
import { withLeadLooks } from '#contract/agents/lead-looks.ts'
import { completeSettings, coordinatorSettings, type ModelSettings } from '#contract/agents/model-settings.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { madeBefore } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'
import { mayDecideWhoSees, requireAgentFor, requireEditableFor, type SeenAgent } from './agent-access.ts'
import { agentInsert, storedAgent } from './agent-insert.ts'
import type { AgentRow } from './agent-row.ts'
import { agentView } from './agent-view.ts'
import { tidyConfig } from './bundle-of.ts'
import { getDefaultModel } from './default-model.ts'
import { batchWithinPublicLimit, limitPublicAgents } from './limit-public-agents.ts'
import { refuseWhatCannotRun } from './refuse-what-cannot-run.ts'
import { tellThem, whoSees } from './sharing/tell-who-sees.ts'
import { freeSlugFor, holdSlug, refuseSlug, takeSlug } from './slugs.ts'
import { snapshotOf } from './versions/agent-snapshot.ts'
import { storedSnapshot } from './versions/stored-snapshots.ts'
import { versionInsert, versionInsertIfMissing } from './versions/write-version.ts'

export type NewAgentFields = z.output<typeof newAgent>
export type AgentChangeFields = z.output<typeof agentChanges>

export interface Making {
  origin: 'created' | 'imported'
  along?: (agentId: string) => Write[]
}

export async function createAgent(
  services: Services,
  person: Person,
  given: NewAgentFields,
  making: Making = { origin: 'created' },
  // Generated once, so that a retry of the create produces the same agent.
  id = services.newId(),
): Promise<Agent> {
  const provider = given.model_provider ?? 'openai'
  const slug = given.slug || (await freeSlugFor(services, given.name, person.id))
  refuseSlug(slug)
  const now = services.now().getTime()
  const row: AgentRow = {
    id,
    owner_id: person.id,
    slug,
    name: given.name,
    purpose: given.purpose,
    agent_class: given.agent_class ?? 'Standard',
    context_scope: given.context_scope ?? 'user_input',
    memory_enabled: given.memory_enabled ?? false,
    tools: namesIn(given.tools),
    permissions: namesIn(given.permissions),
    config: tidyConfig(withLeadLooks(given.agent_class ?? 'Standard', given.config ?? {})),
    // Imports keep their author's error status; a new agent starts ready.
    status: making.origin === 'imported' && given.status === 'error' ? 'error' : 'ready',
    model_provider: provider,
    model_settings: completeSettings(provider, {
      ...getDefaultModel(services, provider),
      ...(given.agent_class === 'Coordinator' && coordinatorSettings),
      ...withModel(given.model_settings, given.model),
    }),
    visibility: given.visibility ?? 'private',
    created_at: now,
    updated_at: now,
    rev: 1,
    visitors_spend_owner_key: given.visitors_spend_owner_key ?? false,
    visitor_daily_micros: microsOf(given.visitor_daily_usd),
  }
  await refuseWhatCannotRun(services, person, row)
  await limitPublicAgents(services, row)
  try {
    await orSlugTaken(() =>
      batchWithinPublicLimit(
        services,
        [
          takeSlug(services, slug, person.id),
          agentInsert(services.db, row),
          // A created agent is its own first version until it changes.
          ...(making.origin === 'imported'
            ? [versionInsert(services, row, { authorId: person.id, origin: 'imported' })]
            : []),
          ...(making.along?.(row.id) ?? []),
        ],
        row,
      ),
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'slug-taken') throw error
    const again = await madeBefore(services, 'agents', id, error)
    if (again) throw again
    // A generated slug was taken concurrently, so generate another one.
    if (!given.slug) return createAgent(services, person, given, making, id)
    throw error
  }
  services.live.tell(person.id, { type: 'agents-changed' })
  return agentView(row, person)
}

/**
 * A change of provider resets the model settings to its defaults, with the given settings on top.
 * Without `ifMatch` the last write wins; every write creates a version.
 * @param restoredRev the version whose content these changes are
 * @throws Problem `stale` with both versions when `ifMatch` isn't the current revision.
 */
export async function updateAgent(
  services: Services,
  person: Person,
  changes: AgentChangeFields,
  ifMatch: number | null,
  restoredRev?: number,
): Promise<Agent> {
  const before = await requireEditableFor(services, person, changes.id)
  const after = withChanges(services, before, changes)
  if (!mayDecideWhoSees(before, person)) refuseWhatTheOwnerDecides(before, after)
  const isRenamed = after.slug !== before.slug
  if (isRenamed) refuseSlug(after.slug)
  await refuseWhatCannotRun(services, person, after, before)
  await limitPublicAgents(services, after, before)
  const goldenRunId = changes.golden_run_id ?? null
  if (goldenRunId !== null) await refuseForeignGoldenRun(services, before.id, goldenRunId)

  const stale = async () => {
    const current = await requireAgentFor(services, person, before.id)
    return new Problem('stale', { data: { yours: agentView(after, person), current: agentView(current, person) } })
  }
  if (ifMatch !== null && ifMatch !== before.rev) throw await stale()
  const slugWrites = isRenamed
    ? [takeSlug(services, after.slug, before.owner_id), holdSlug(services, before.slug, before.owner_id)]
    : []
  const previous = { rev: before.rev, snapshot: snapshotOf(before) }
  const snapshot = await storedSnapshot(services, before.id, snapshotOf(after), previous, restoredRev)
  try {
    await orSlugTaken(
      () =>
        batchWithinPublicLimit(
          services,
          [
            ...slugWrites,
            versionInsertIfMissing(services, before),
            requireChanges(
              services.db
                .updateTable('agents')
                .set(storedAgent(after))
                .where('id', '=', before.id)
                .where('rev', '=', before.rev),
            ),
            versionInsert(
              services,
              after,
              {
                authorId: person.id,
                origin: restoredRev === undefined ? 'saved' : 'restored',
                restoredRev,
                goldenRunId,
              },
              snapshot,
            ),
            // The audit entry carries no details, because the versions do.
            ...(before.owner_id === null
              ? [auditing(services, { action: 'built-in-agent-changed', actor: person, subject: before.slug })]
              : []),
          ],
          after,
          before,
        ),
      isRenamed,
    )
  } catch (error) {
    // Deleting an agent deletes its versions, which breaks the foreign key.
    if (error instanceof ForeignKeyViolation) await requireAgentFor(services, person, before.id)
    if (!wasFaster(error)) throw error
    // Last write wins, so apply these changes on top of the concurrent ones.
    if (ifMatch === null) return updateAgent(services, person, changes, null, restoredRev)
    throw await stale()
  }
  tellThem(services, [person.id, ...(await whoSees(services, after))])
  return agentView(after, person)
}

export function withChanges(services: Services, before: SeenAgent, changes: Partial<AgentChangeFields>): SeenAgent {
  const provider = changes.model_provider ?? before.model_provider
  const settingsBefore =
    provider === before.model_provider
      ? before.model_settings
      : completeSettings(provider, getDefaultModel(services, provider))
  const agentClass = changes.agent_class ?? before.agent_class
  const config = changes.config ? tidyConfig(changes.config) : before.config
  return {
    ...before,
    name: changes.name ?? before.name,
    slug: changes.slug || before.slug,
    purpose: changes.purpose ?? before.purpose,
    agent_class: agentClass,
    context_scope: changes.context_scope ?? before.context_scope,
    memory_enabled: changes.memory_enabled ?? before.memory_enabled,
    tools: changes.tools ? namesIn(changes.tools) : before.tools,
    permissions: changes.permissions ? namesIn(changes.permissions) : before.permissions,
    config: changes.config || agentClass !== before.agent_class ? withLeadLooks(agentClass, config) : config,
    status: changes.status ?? before.status,
    visibility: changes.visibility ?? before.visibility,
    model_provider: provider,
    model_settings: completeSettings(provider, {
      ...settingsBefore,
      ...withModel(changes.model_settings, changes.model),
    }),
    updated_at: services.now().getTime(),
    rev: before.rev + 1,
    visitors_spend_owner_key: changes.visitors_spend_owner_key ?? before.visitors_spend_owner_key,
    visitor_daily_micros:
      changes.visitor_daily_usd === undefined ? before.visitor_daily_micros : microsOf(changes.visitor_daily_usd),
  }
}

function namesIn(list: string[] = []): string[] {
  if (list.length === 0) return []
  return [...new Set(list.map((name) => name.trim()).filter(Boolean))]
}

function withModel(settings: Partial<ModelSettings> | undefined, model: string | undefined): Partial<ModelSettings> {
  return { ...settings, ...(model !== undefined && settings?.model === undefined && { model }) }
}

function microsOf(dollars: number | null | undefined): number | null {
  return dollars === null || dollars === undefined ? null : Math.round(dollars * 1_000_000)
}

function refuseWhatTheOwnerDecides(before: AgentRow, after: AgentRow): void {
  const fields: Record<string, string> = {}
  if (after.visibility !== before.visibility) fields.visibility = 'Only its owner decides who sees it.'
  for (const field of ['visitors_spend_owner_key', 'visitor_daily_micros'] as const) {
    if (after[field] === before[field]) continue
    fields[field === 'visitor_daily_micros' ? 'visitor_daily_usd' : field] =
      'Only its owner decides what visitors can spend.'
  }
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
  if (!run) throw badField('golden_run_id', "That isn't a golden run of this agent.")
}

/** @param takes whether the batch begins with `takeSlug` */
async function orSlugTaken<T>(write: () => Promise<T>, takes = true): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const isAnothers = error instanceof UniqueViolation && error.columns.includes('slug')
    const isHeld = takes && error instanceof UnexpectedChanges && error.index === 0
    if (isAnothers || isHeld)
      throw new Problem('slug-taken', { fields: { slug: 'This slug is taken. Choose another one.' } })
    throw error
  }
}

function wasFaster(error: unknown): boolean {
  return error instanceof UnexpectedChanges || (error instanceof UniqueViolation && error.table === 'agent_versions')
}
