import type { AgentLog } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
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
    matches.newest(params.pageSize, (params.page - 1) * params.pageSize),
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

export type LoggedRunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>

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
