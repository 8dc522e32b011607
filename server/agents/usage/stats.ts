import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { agentStats } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { sortDurations } from './run-durations.ts'
import { toUsageMetrics } from './usage-metrics.ts'
import { selectCallSpend, selectRunCounts } from './usage-queries.ts'

export async function getStats(
  services: Services,
  person: Person,
  agentId: string | null,
): Promise<z.output<typeof agentStats>> {
  const visibleRuns = sql`(person_id = ${person.id} or agent_owner_id = ${person.id})`
  const where = agentId ? sql`agent_id = ${agentId} and ${visibleRuns}` : visibleRuns
  const all = sql`'all'`
  const { db } = services
  const [countRows, spent] = await Promise.all([
    db.longRead(selectRunCounts(db.engine, all, where)),
    db.longRead(selectCallSpend(all, where)),
  ])
  const { runs, errors, mock_runs, p50_ms, p95_ms, input_tokens, output_tokens, cost_usd } = toUsageMetrics(
    countRows.map((row) => ({ ...row, times: sortDurations(row.times) })),
    spent,
  )
  const last = countRows[0]?.last
  return {
    runs,
    errors,
    mock_runs,
    p50_ms,
    p95_ms,
    input_tokens,
    output_tokens,
    cost_usd,
    last_run_at: last === undefined ? null : new Date(last).toISOString(),
  }
}
