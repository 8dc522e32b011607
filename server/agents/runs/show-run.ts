import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor } from '../agent-access.ts'
import { buildVisibilityFilter } from './find-runs.ts'
import { selectRuns, toLogView } from './list-logs.ts'

export async function showRun(services: Services, person: Person, runId: string): Promise<RunDetail> {
  const row = await selectRuns(services)
    .where('runs.id', '=', runId)
    .where(buildVisibilityFilter(person))
    .executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Run not found' })
  const isOwn = row.person_id === person.id
  // The row is updated only now and then, so running runs are read from memory.
  const liveRun = row.status === 'running' ? services.runs.find(runId) : undefined
  const allSpans = liveRun ? liveRun.copySpans() : await fetchStoredSpans(services, runId)
  const { spans, notes } = isOwn
    ? { spans: allSpans, notes: row.notes }
    : await redactForOthers(services, person, { spans: allSpans, notes: row.notes })
  return {
    ...toLogView(liveRun ? { ...row, response: liveRun.response } : row, person),
    session_id: isOwn ? row.session_id : null,
    notes,
    model_settings: isOwn ? row.model_settings : null,
    overrides: isOwn ? row.overrides : null,
    as_of: row.as_of,
    tools: isOwn ? (liveRun?.tools ?? row.tools ?? []) : [],
    sources: isOwn ? (liveRun?.sources ?? row.sources ?? []) : [],
    spans,
  }
}

async function redactForOthers(
  services: Services,
  person: Person,
  { spans, notes }: Pick<RunDetail, 'spans' | 'notes'>,
): Promise<Pick<RunDetail, 'spans' | 'notes'>> {
  const slugs = new Set(spans.flatMap(({ agent_slug }) => agent_slug ?? []))
  const visibleSlugs = new Set<string | null>()
  for (const slug of slugs) if (await findAgentFor(services, person, slug)) visibleSlugs.add(slug)
  const hiddenSpanIds = new Set<string>()
  for (const { id, parent_id, agent_slug } of spans)
    if ((parent_id !== null && hiddenSpanIds.has(parent_id)) || (agent_slug !== null && !visibleSlugs.has(agent_slug)))
      hiddenSpanIds.add(id)
  const hiddenNotePrefixes = spans.filter(({ id }) => hiddenSpanIds.has(id)).map(({ name }) => `${name}: `)
  return {
    spans: spans.map((span) => ({
      ...span,
      ...(hiddenSpanIds.has(span.id) && {
        name: span.agent_slug === null ? 'Hidden step' : 'Another agent',
        agent_slug: null,
      }),
      input: null,
      output: null,
      reasoning: null,
      memory: [],
    })),
    notes: notes.filter((note) => !hiddenNotePrefixes.some((prefix) => note.startsWith(prefix))),
  }
}

async function fetchStoredSpans(services: Services, runId: string): Promise<RunSpan[]> {
  const rows = await services.db
    .selectFrom('run_spans')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
  return rows.map(({ run_id: _run, position: _position, ...span }) => ({ ...span, memory: span.memory ?? [] }))
}
