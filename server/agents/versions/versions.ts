import { type Agent, agentChanges } from '#contract/agents/agents.ts'
import { diffSnapshots } from '#contract/agents/version-changes.ts'
import type { AgentSnapshot, AgentVersion } from '#contract/agents/versions.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { canSetVisibility, requireEditableAgent } from '../agent-access.ts'
import { type AgentRow, toSnapshot } from '../agent-view.ts'
import { getCandidateAnswer } from '../golden/published-answers.ts'
import { buildVisibilityFilter } from '../runs/find-runs.ts'
import { type AgentChangeFields, updateAgent } from '../save-agent.ts'
import { isSlugTaken } from '../slugs.ts'
import { buildFirstVersion, readSnapshot, resolveSnapshots } from './write-version.ts'

/** Maximum of the column `rev`. */
const maxRev = 2 ** 31 - 1

interface VersionPageParams {
  cursor?: string | undefined
  limit: number
}

/** Newest first; only for editors, because earlier versions can contain what the owner has since made private. */
export async function listVersions(
  services: Services,
  person: Person,
  idOrSlug: string,
  { cursor, limit }: VersionPageParams,
): Promise<{ items: AgentVersion[]; next_cursor: string | null }> {
  const agent = await requireEditableAgent(services, person, idOrSlug)
  const beforeRev = cursor === undefined ? maxRev : parseRevCursor(cursor)
  const storedRows = await services.db
    .selectFrom('agent_versions')
    .leftJoin('people', 'people.id', 'agent_versions.author_id')
    .leftJoin('golden_runs', 'golden_runs.id', 'agent_versions.golden_run_id')
    .selectAll('agent_versions')
    .select([
      'people.name as author_name',
      'golden_runs.results as golden_results',
      'golden_runs.models as golden_models',
    ])
    .where('agent_versions.agent_id', '=', agent.id)
    .where('agent_versions.rev', '<', beforeRev)
    .orderBy('agent_versions.rev', 'desc')
    .limit(limit + 1)
    .execute()
  const rows = await resolveSnapshots(services, agent.id, storedRows)
  const visibleRows = rows.slice(0, limit)
  const runCounts = await fetchRunCounts(
    services,
    person,
    agent,
    visibleRows.map((row) => row.rev),
  )
  const items = visibleRows.map((row, index): AgentVersion => {
    const previous = rows[index + 1]
    return {
      version: row.rev,
      author: row.author_id ? { id: row.author_id, name: row.author_name } : null,
      created_at: toIsoTime(row.created_at),
      origin: row.origin,
      restored_version: row.restored_rev,
      changes: previous ? diffSnapshots(readSnapshot(previous.snapshot), readSnapshot(row.snapshot)) : [],
      golden: row.golden_results && {
        passed: row.golden_results.filter(
          (result) =>
            getCandidateAnswer(result, row.golden_models, readSnapshot(row.snapshot).model_settings.model)?.passed,
        ).length,
        total: row.golden_results.length,
      },
      runs: runCounts.get(row.rev) ?? 0,
    }
  })
  if (items.length === 0 && cursor === undefined) items.push(await buildUnstoredFirstVersion(services, person, agent))
  return { items, next_cursor: rows.length > limit ? String(visibleRows.at(-1)?.rev) : null }
}

function parseRevCursor(cursor: string): number {
  const rev = Number(cursor)
  if (!Number.isSafeInteger(rev) || rev < 1) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return Math.min(rev, maxRev)
}

async function fetchRunCounts(
  services: Services,
  person: Person,
  agent: AgentRow,
  revs: number[],
): Promise<Map<number, number>> {
  if (revs.length === 0) return new Map()
  const rows = await services.db
    .selectFrom('runs')
    .select(['runs.agent_rev', (select) => select.fn.countAll<number>().as('count')])
    .where('runs.agent_id', '=', agent.id)
    .where('runs.agent_rev', 'in', revs)
    .where('runs.overrides', 'is', null)
    .where(buildVisibilityFilter(person))
    .groupBy('runs.agent_rev')
    .execute()
  return new Map(rows.map((row) => [row.agent_rev, Number(row.count)]))
}

async function buildUnstoredFirstVersion(services: Services, person: Person, agent: AgentRow): Promise<AgentVersion> {
  const owner = agent.owner_id
    ? await services.db.selectFrom('people').select('name').where('id', '=', agent.owner_id).executeTakeFirst()
    : undefined
  const { rev, origin, restored_rev, created_at } = buildFirstVersion(agent)
  return {
    version: rev,
    author: agent.owner_id ? { id: agent.owner_id, name: owner?.name ?? null } : null,
    created_at: toIsoTime(created_at),
    origin,
    restored_version: restored_rev,
    changes: [],
    golden: null,
    runs: (await fetchRunCounts(services, person, agent, [agent.rev])).get(agent.rev) ?? 0,
  }
}

export async function showVersion(
  services: Services,
  person: Person,
  { agentId, version }: { agentId: string; version: number },
): Promise<{ version: number; snapshot: AgentSnapshot }> {
  const agent = await requireEditableAgent(services, person, agentId)
  const row = await services.db
    .selectFrom('agent_versions')
    .select(['rev', 'snapshot'])
    .where('agent_id', '=', agent.id)
    .where('rev', '=', Math.min(version, maxRev))
    .executeTakeFirst()
  const [resolvedRow] = row ? await resolveSnapshots(services, agent.id, [row]) : []
  if (resolvedRow) return { version, snapshot: readSnapshot(resolvedRow.snapshot) }
  if (version === agent.rev) return { version, snapshot: toSnapshot(agent) }
  throw new Problem('not-found', { message: 'Version not found' })
}

/** Fields that can't be restored stay, with a note. @throws Problem `bad-input` naming fields that can't be saved today */
export async function restoreVersion(
  services: Services,
  person: Person,
  params: { agentId: string; version: number },
): Promise<{ agent: Agent; notes: string[] }> {
  const current = await requireEditableAgent(services, person, params.agentId)
  const { snapshot } = await showVersion(services, person, params)
  const notes: string[] = []
  const changes: Record<string, unknown> = { ...snapshot, id: current.id }
  delete changes.status
  if (snapshot.slug !== current.slug && (await isSlugTaken(services, snapshot.slug, current.owner_id))) {
    delete changes.slug
    notes.push(`The slug "${snapshot.slug}" is now taken, so the slug stays "${current.slug}".`)
  }
  if (!canSetVisibility(current, person)) {
    if (snapshot.visibility !== current.visibility)
      notes.push(`The agent stays ${current.visibility}: only its owner can change who sees it.`)
    for (const field of ['visibility', 'visitors_spend_owner_key', 'visitor_daily_usd']) delete changes[field]
  }
  return { agent: await updateAgent(services, person, parseChanges(changes), null, params.version), notes }
}

function parseChanges(fields: Record<string, unknown>): AgentChangeFields {
  const parsed = agentChanges.safeParse(fields)
  if (parsed.success) return parsed.data
  const fieldErrors = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message] as const)
  throw new Problem('bad-input', {
    message: `This version can’t be restored as it was. ${fieldErrors.map(([field, text]) => `${field}: ${text}`).join(' ')}`,
    fields: Object.fromEntries(fieldErrors),
  })
}
