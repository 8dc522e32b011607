import type { AgentLog, RunDetail, RunSpan } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor } from '../agent-access.ts'
import { findRuns, type LogFilter, mayKnowOf } from './find-runs.ts'
import { usageOf } from './follow-run.ts'

/** Whole rows of runs, with who ran them. */
export const selectRuns = (services: Services) =>
  services.db
    .selectFrom('runs')
    .leftJoin('people', 'people.id', 'runs.person_id')
    .select([
      'runs.id',
      'runs.agent_id',
      'runs.agent_name',
      'runs.agent_slug',
      'runs.agent_class',
      'runs.agent_rev',
      'runs.origin',
      'runs.model_settings',
      'runs.overrides',
      'runs.tools',
      'runs.sources',
      'runs.created_at',
      'runs.execution_time_ms',
      'runs.model',
      'runs.model_provider',
      'runs.input',
      'runs.output',
      'runs.response',
      'runs.error',
      'runs.error_code',
      'runs.status',
      'runs.mock_mode',
      'runs.key_source',
      'runs.attempts',
      'runs.input_tokens',
      'runs.output_tokens',
      'runs.cost_micros',
      'runs.usage_estimated',
      'runs.session_id',
      'runs.person_id',
      'runs.notes',
      'people.name as person_name',
      'people.email as person_email',
    ])
type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>

/** Newest first. @throws Problem naming the field for a time that is none */
export async function listLogs(
  services: Services,
  person: Person,
  given: LogFilter & { page: number; pageSize: number },
): Promise<{ logs: AgentLog[]; totalPages: number; total: number }> {
  const found = findRuns(services, person, given)
  const [total, ids] = await Promise.all([
    found.count(),
    found.newest(given.pageSize, (given.page - 1) * given.pageSize),
  ])
  const rows =
    ids.length === 0
      ? []
      : await selectRuns(services)
          .where('runs.id', 'in', ids)
          .orderBy('runs.created_at', 'desc')
          .orderBy('runs.id')
          .execute()
  return {
    logs: rows.map((row) => logView(row, person)),
    total,
    totalPages: Math.max(1, Math.ceil(total / given.pageSize)),
  }
}

/** A run as one person may see it: of other people's runs what happened, not what was said. */
export function logView(row: RunRow, person: Person): AgentLog {
  const own = row.person_id === person.id
  const output = row.output ?? (row.response ? { type: 'text', text: row.response } : null)
  return {
    id: row.id,
    agent: { id: row.agent_id, name: row.agent_name, slug: row.agent_slug, agent_class: row.agent_class },
    agent_version: row.agent_rev,
    origin: row.origin,
    created_at: new Date(row.created_at).toISOString(),
    execution_time_ms: row.execution_time_ms,
    model: row.model,
    model_provider: row.model_provider,
    input: own ? row.input : '',
    output: own && output ? JSON.stringify(output) : null,
    error: own || row.error === null ? row.error : 'The details are shown to who ran it.',
    error_code: row.error_code,
    status: row.status,
    mock_mode: row.mock_mode,
    key_source: row.key_source,
    attempts: row.attempts,
    usage: usageOf(row),
    user: row.person_id ? { id: row.person_id, name: row.person_name, email: own ? row.person_email : null } : null,
  }
}

/** One run with its spans, also while it is under way. Of other people's runs the steps are shown, not what was said. */
export async function showRun(services: Services, person: Person, runId: string): Promise<RunDetail> {
  const row = await selectRuns(services).where('runs.id', '=', runId).where(mayKnowOf(person)).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Run not found' })
  const own = row.person_id === person.id
  // The row tells of tools now and then, of steps only at the end; what goes on here is known as it happens.
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

/**
 * Of other people's runs the steps are told, not what was said; and of agents that whoever asks cannot see not even the
 * names: a run may ask private agents of whoever ran it.
 */
async function asToldToOthers(
  services: Services,
  person: Person,
  { spans, notes }: Pick<RunDetail, 'spans' | 'notes'>,
): Promise<Pick<RunDetail, 'spans' | 'notes'>> {
  const slugs = new Set(spans.flatMap(({ agent_slug }) => agent_slug ?? []))
  const seen = new Set<string | null>()
  for (const slug of slugs) if (await findAgentFor(services, person, slug)) seen.add(slug)
  const hidden = new Set<string>()
  // Parents come before their children.
  for (const { id, parent_id, agent_slug } of spans)
    if ((parent_id !== null && hidden.has(parent_id)) || (agent_slug !== null && !seen.has(agent_slug))) hidden.add(id)
  const names = spans.filter(({ id }) => hidden.has(id)).map(({ name }) => `${name}: `)
  return {
    spans: spans.map((span) => ({
      ...span,
      ...(hidden.has(span.id) && {
        name: span.agent_slug === null ? 'A step of it' : 'Another agent',
        agent_slug: null,
      }),
      ...{ input: null, output: null, memory: [] },
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
