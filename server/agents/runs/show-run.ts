import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor } from '../agent-access.ts'
import { mayKnowOf } from './find-runs.ts'
import { logView, selectRuns } from './log-view.ts'

export async function showRun(services: Services, person: Person, runId: string): Promise<RunDetail> {
  const row = await selectRuns(services).where('runs.id', '=', runId).where(mayKnowOf(person)).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Run not found' })
  const own = row.person_id === person.id
  // The row is updated only now and then, so running runs are read from memory.
  const live = row.status === 'running' ? services.runs.find(runId) : undefined
  const told = live ? live.spans() : await keptSpans(services, runId)
  const { spans, notes } = own
    ? { spans: told, notes: row.notes }
    : await asToldToOthers(services, person, { spans: told, notes: row.notes })
  return {
    ...logView(live ? { ...row, response: live.response } : row, person),
    session_id: own ? row.session_id : null,
    notes,
    model_settings: own ? row.model_settings : null,
    overrides: own ? row.overrides : null,
    tools: own ? (live?.tools ?? row.tools ?? []) : [],
    sources: own ? (live?.sources ?? row.sources ?? []) : [],
    spans,
  }
}

/** Removes content and the names of agents the viewer can't see, such as private ones of the runner. */
async function asToldToOthers(
  services: Services,
  person: Person,
  { spans, notes }: Pick<RunDetail, 'spans' | 'notes'>,
): Promise<Pick<RunDetail, 'spans' | 'notes'>> {
  const slugs = new Set(spans.flatMap(({ agent_slug }) => agent_slug ?? []))
  const seen = new Set<string | null>()
  for (const slug of slugs) if (await findAgentFor(services, person, slug)) seen.add(slug)
  const hidden = new Set<string>()
  for (const { id, parent_id, agent_slug } of spans)
    if ((parent_id !== null && hidden.has(parent_id)) || (agent_slug !== null && !seen.has(agent_slug))) hidden.add(id)
  const names = spans.filter(({ id }) => hidden.has(id)).map(({ name }) => `${name}: `)
  return {
    spans: spans.map((span) => ({
      ...span,
      ...(hidden.has(span.id) && {
        name: span.agent_slug === null ? 'Hidden step' : 'Another agent',
        agent_slug: null,
      }),
      ...{ input: null, output: null, reasoning: null, memory: [] },
    })),
    notes: notes.filter((note) => !names.some((name) => note.startsWith(name))),
  }
}

async function keptSpans(services: Services, runId: string): Promise<RunSpan[]> {
  const rows = await services.db
    .selectFrom('run_spans')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
  return rows.map(({ run_id: _run, position: _position, ...span }) => ({ ...span, memory: span.memory ?? [] }))
}
