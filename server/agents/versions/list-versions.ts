import { diffSnapshots } from '#contract/agents/version-changes.ts'
import type { AgentVersion } from '#contract/agents/versions.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireEditableAgent } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'
import { getCandidateAnswer } from '../golden/published-answers.ts'
import { buildVisibilityFilter } from '../runs/find-runs.ts'
import { readSnapshot } from './agent-snapshot.ts'
import { resolveSnapshots } from './stored-snapshots.ts'
import { buildFirstVersion } from './write-version.ts'

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
  const beforeRev = cursor === undefined ? Number.MAX_SAFE_INTEGER : parseRevCursor(cursor)
  const stored = await services.db
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
    .where('agent_versions.rev', '<', Math.min(beforeRev, 2 ** 31 - 1))
    .orderBy('agent_versions.rev', 'desc')
    .limit(limit + 1)
    .execute()
  const rows = await resolveSnapshots(services, agent.id, stored)
  const visibleRows = rows.slice(0, limit)
  const runs = await fetchRunCounts(
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
      created_at: new Date(row.created_at).toISOString(),
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
      runs: runs.get(row.rev) ?? 0,
    }
  })
  if (items.length === 0 && cursor === undefined) items.push(await buildUnstoredFirstVersion(services, person, agent))
  return { items, next_cursor: rows.length > limit ? String(visibleRows.at(-1)?.rev) : null }
}

function parseRevCursor(cursor: string): number {
  const rev = Number(cursor)
  if (!Number.isSafeInteger(rev) || rev < 1) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return rev
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
    created_at: new Date(created_at).toISOString(),
    origin,
    restored_version: restored_rev,
    changes: [],
    golden: null,
    runs: (await fetchRunCounts(services, person, agent, [agent.rev])).get(agent.rev) ?? 0,
  }
}
