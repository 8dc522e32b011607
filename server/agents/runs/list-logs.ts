import type { agents } from '#contract/agents/agents.ts'
import type { AgentLog } from '#contract/agents/runs.ts'
import { type CsvValue, formatCsvHeader, formatCsvLine } from '#contract/csv-line.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { csvType, streamFile } from '#server/http/stream-file.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { trialAgentId } from '../agent-view.ts'
import { findRuns, type LogFilter } from './find-runs.ts'
import { toRunUsage } from './follow-run.ts'

export async function listLogs(
  services: Services,
  person: Person,
  params: LogFilter & { page: number; pageSize: number },
): Promise<{ logs: AgentLog[]; totalPages: number; total: number }> {
  const matches = await findRuns(services, person, params)
  const [total, ids] = await Promise.all([
    matches.count(),
    matches.listNewestIds(params.pageSize, (params.page - 1) * params.pageSize),
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
    logs: rows.map((row) => toLogView(row, person)),
    total,
    totalPages: Math.max(1, Math.ceil(total / params.pageSize)),
  }
}

export const selectRuns = (services: Services) =>
  services.db
    .selectFrom('runs')
    .leftJoin('people', 'people.id', 'runs.person_id')
    .selectAll('runs')
    .select(['people.name as person_name', 'people.email as person_email'])

type LoggedRunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>

export function toLogView(row: LoggedRunRow, person: Person): AgentLog {
  const isOwn = row.person_id === person.id
  const output = row.output ?? (row.response ? { type: 'text', text: row.response } : null)
  return {
    id: row.id,
    agent: {
      id: row.origin === 'trial' ? trialAgentId : row.agent_id,
      name: row.agent_name,
      slug: row.agent_slug,
      agent_class: row.agent_class,
    },
    agent_version: row.agent_rev,
    origin: row.origin,
    created_at: toIsoTime(row.created_at),
    execution_time_ms: row.execution_time_ms,
    model: row.model,
    model_provider: row.model_provider,
    input: isOwn ? row.input : '',
    output: isOwn && output ? JSON.stringify(output) : null,
    error: isOwn || row.error === null ? row.error : 'Only the person who started this run can see the details.',
    error_code: row.error_code,
    status: row.status,
    mock_mode: row.mock_mode,
    key_source: row.key_source,
    attempts: row.attempts,
    usage: toRunUsage(row),
    user: row.person_id ? { id: row.person_id, name: row.person_name, email: isOwn ? row.person_email : null } : null,
  }
}

const maxRecentRuns = 1000

/** Reads only the newest runs, so that a long history costs no more. */
export async function listLastRuns({ db }: Services, person: Person): Promise<EndpointOutput<typeof agents.lastRuns>> {
  const newestRuns = db
    .selectFrom('runs')
    .select(['agent_id', 'created_at'])
    .where('person_id', '=', person.id)
    .where('origin', '!=', 'trial')
    .orderBy('created_at', 'desc')
    .limit(maxRecentRuns)
  const rows = await db.longRead(
    db
      .selectFrom(newestRuns.as('newest'))
      .select('newest.agent_id')
      .select((select) => select.fn.max('newest.created_at').as('at'))
      .groupBy('newest.agent_id')
      .orderBy('at', 'desc'),
  )
  return rows.map(({ agent_id, at }) => ({ agent_id, last_run_at: toIsoTime(Number(at)) }))
}

const maxExportedRows = 10_000
const exportBatchSize = 250

/** The headers `keeper-total` and `keeper-rows` count matching and exported runs. @throws Problem naming an invalid time */
export async function exportLogs(services: Services, person: Person, filter: LogFilter): Promise<Response> {
  const matches = await findRuns(services, person, filter)
  const ids = await matches.listNewestIds(maxExportedRows)
  const total = Math.max(await matches.count(), ids.length)
  const day = services.now().toISOString().slice(0, 10)
  const truncationSuffix = total > ids.length ? `-newest-${ids.length}` : ''
  const counts = { 'keeper-total': String(total), 'keeper-rows': String(ids.length) }
  return streamFile(`keeper-logs-${day}${truncationSuffix}.csv`, csvType, streamLines(services, person, ids), counts)
}

async function* streamLines(services: Services, person: Person, ids: readonly string[]): AsyncGenerator<string> {
  yield formatCsvHeader(logColumns.map(([name]) => name))
  for (let start = 0; start < ids.length; start += exportBatchSize) {
    const nextIds = ids.slice(start, start + exportBatchSize)
    const rows = await services.db.longRead(selectRuns(services).where('runs.id', 'in', nextIds))
    const rowById = new Map(rows.map((row) => [row.id, row]))
    yield nextIds.map((id) => toCsvLine(rowById.get(id), person)).join('')
  }
}

type LogColumn = [name: string, getCell: (log: ReturnType<typeof toLogView>, row: LoggedRunRow) => CsvValue]

const logColumns: LogColumn[] = [
  ['run_id', (log) => log.id],
  ['created_at', (log) => log.created_at],
  ['agent', (log) => toDisplayLine(log.agent?.name ?? 'Unknown Agent')],
  ['agent_slug', (log) => log.agent?.slug ?? null],
  ['agent_version', (log) => log.agent_version],
  ['origin', (log) => log.origin],
  ['status', (log) => log.status],
  ['error_code', (log) => log.error_code],
  ['execution_time_ms', (log) => log.execution_time_ms],
  ['provider', (log) => log.model_provider],
  ['model', (log) => log.model],
  ['mock_mode', (log) => log.mock_mode],
  ['key_source', (log) => log.key_source],
  ['attempts', (log) => log.attempts],
  ['input_tokens', (log) => log.usage.input_tokens],
  ['output_tokens', (log) => log.usage.output_tokens],
  ['tokens_estimated', (log) => log.usage.estimated],
  ['cost_usd', (log) => log.usage.cost_usd],
  ['user', (log) => (log.user ? toDisplayLine(log.user.name || log.user.email || log.user.id) : 'visitor')],
  ['input', (log) => log.input],
  ['output', (log, row) => (log.output === null ? null : row.response)],
  ['error', (log) => log.error],
]

function toCsvLine(row: LoggedRunRow | undefined, person: Person): string {
  if (!row) return ''
  const log = toLogView(row, person)
  return formatCsvLine(logColumns.map(([, getCell]) => getCell(log, row)))
}
