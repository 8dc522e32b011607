import type { AgentLog } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { findRuns, type LogFilter } from './find-runs.ts'
import { logView, selectRuns } from './log-view.ts'

export async function listLogs(
  services: Services,
  person: Person,
  given: LogFilter & { page: number; pageSize: number },
): Promise<{ logs: AgentLog[]; totalPages: number; total: number }> {
  const found = await findRuns(services, person, given)
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
