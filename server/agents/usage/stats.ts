import type * as z from 'zod/mini'
import type { agentStats } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'

const mostRuns = 10_000

/** Figures over the newest runs of one's own and of one's agents; of one agent if told. */
export async function statsFor(
  services: Services,
  person: Person,
  agentId: string | null,
): Promise<z.output<typeof agentStats>> {
  let runs = services.db
    .selectFrom('runs')
    .select(['status', 'mock_mode', 'execution_time_ms', 'input_tokens', 'output_tokens', 'cost_micros', 'created_at'])
    .where((where) => where.or([where('person_id', '=', person.id), where('agent_owner_id', '=', person.id)]))
    .where('status', '!=', 'running')
  if (agentId) runs = runs.where('agent_id', '=', agentId)
  const rows = await services.db.longRead(runs.orderBy('created_at', 'desc').limit(mostRuns))
  const times = rows.map((row) => row.execution_time_ms ?? 0).sort((a, b) => a - b)
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0)
  return {
    runs: rows.length,
    errors: rows.filter((row) => row.status === 'error' || row.status === 'interrupted').length,
    mock_runs: rows.filter((row) => row.mock_mode).length,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    input_tokens: sum((row) => row.input_tokens),
    output_tokens: sum((row) => row.output_tokens),
    cost_usd: sum((row) => row.cost_micros ?? 0) / 1_000_000,
    last_run_at: rows[0] ? new Date(rows[0].created_at).toISOString() : null,
  }
}

/** Nearest rank over sorted values. */
function percentile(sorted: number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}
