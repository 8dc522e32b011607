import type { AgentLog, RunDetail } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { usageOf } from './follow-run.ts'

/**
 * Runs a person may know of: their own, those of their agents, and with `view_logs` everybody's. What was said is
 * shown for one's own runs only (trust.md row 13).
 */
function visibleRuns(services: Services, person: Person) {
  const runs = services.db
    .selectFrom('runs')
    .leftJoin('people', 'people.id', 'runs.person_id')
    .leftJoin('agents', 'agents.id', 'runs.agent_id')
  if (person.permissions.has('view_logs')) return runs
  return runs.where((where) =>
    where.or([where('runs.person_id', '=', person.id), where('runs.agent_owner_id', '=', person.id)]),
  )
}

const columns = [
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
] as const

export async function listLogs(
  services: Services,
  person: Person,
  given: { page: number; pageSize: number; agentId: string | null },
): Promise<{ logs: AgentLog[]; totalPages: number; total: number }> {
  let runs = visibleRuns(services, person)
  if (given.agentId) {
    const { agentId } = given
    runs = runs.where((where) =>
      where.or([where('runs.agent_id', '=', agentId), where('runs.agent_slug', '=', agentId)]),
    )
  }
  const { count } = await runs.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await runs
    .select(columns)
    .orderBy('runs.created_at', 'desc')
    .orderBy('runs.id')
    .limit(given.pageSize)
    .offset((given.page - 1) * given.pageSize)
    .execute()
  const total = Number(count)
  return {
    logs: rows.map((row) => logView(row, person)),
    total,
    totalPages: Math.max(1, Math.ceil(total / given.pageSize)),
  }
}

type LogRow = Awaited<ReturnType<ReturnType<typeof selectLog>['executeTakeFirstOrThrow']>>
const selectLog = (services: Services, person: Person) => visibleRuns(services, person).select(columns)

function logView(row: LogRow, person: Person): AgentLog {
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

/** One run with its spans. Of other people's runs the steps are shown, not what was said in them. */
export async function showRun(services: Services, person: Person, runId: string): Promise<RunDetail> {
  const row = await selectLog(services, person).where('runs.id', '=', runId).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Run not found' })
  const own = row.person_id === person.id
  const spans = await services.db
    .selectFrom('run_spans')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
  return {
    ...logView(row, person),
    session_id: own ? row.session_id : null,
    notes: row.notes,
    model_settings: own ? row.model_settings : null,
    overrides: own ? row.overrides : null,
    tools: own ? (row.tools ?? []) : [],
    sources: own ? (row.sources ?? []) : [],
    spans: spans.map((span) => ({
      id: span.id,
      parent_id: span.parent_id,
      kind: span.kind,
      name: span.name,
      started_ms: span.started_ms,
      ended_ms: span.ended_ms,
      failure: span.failure,
      input: own ? span.input : null,
      output: own ? span.output : null,
      memory: own ? (span.memory ?? []) : [],
      agent_slug: span.agent_slug,
      provider: span.provider,
      model: span.model,
      usage: span.usage,
    })),
  }
}
