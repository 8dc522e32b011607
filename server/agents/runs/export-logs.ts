import { type CsvValue, formatCsvHeader, formatCsvLine } from '#contract/csv-line.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { csvType, streamFile } from '#server/http/stream-file.ts'
import type { Services } from '#server/services.ts'
import { findRuns, type LogFilter } from './find-runs.ts'
import { type LoggedRunRow, selectRuns, toLogView } from './list-logs.ts'

const maxExportedRows = 10_000
const exportBatchSize = 250

/** The headers `keeper-total` and `keeper-rows` count matching and exported runs. @throws Problem naming an invalid time */
export async function exportLogs(services: Services, person: Person, filter: LogFilter): Promise<Response> {
  const matches = await findRuns(services, person, filter)
  const ids = await matches.newest(maxExportedRows)
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

type Column = [name: string, getCell: (log: ReturnType<typeof toLogView>, row: LoggedRunRow) => CsvValue]

const logColumns: Column[] = [
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
