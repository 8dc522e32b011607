import type { AgentLog } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { findRuns, type LogFilter } from './find-runs.ts'
import { selectRuns, toLogView } from './log-view.ts'

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
