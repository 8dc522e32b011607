import type { UsageMetrics } from '#contract/agents/usage.ts'
import { calculatePercentile, type Durations } from './run-durations.ts'
import type { CountRow, SpendRow } from './usage-queries.ts'

type SortedCountRow = Omit<CountRow, 'times'> & { times: Durations }

export function toUsageMetrics(countRows: readonly SortedCountRow[], spent: readonly SpendRow[]): UsageMetrics {
  const times = countRows.map((row) => row.times)
  return {
    runs: sumBy(countRows, (row) => row.runs),
    errors: sumBy(countRows, (row) => row.errors),
    mock_runs: sumBy(countRows, (row) => row.mock_runs),
    p50_ms: calculatePercentile(times, 0.5),
    p95_ms: calculatePercentile(times, 0.95),
    input_tokens: sumBy(spent, (row) => row.input_tokens),
    output_tokens: sumBy(spent, (row) => row.output_tokens),
    estimated: spent.some((row) => row.estimated > 0),
    cost_usd: sumBy(spent, (row) => row.cost_micros) / 1_000_000,
    unpriced_runs: sumBy(countRows, (row) => row.unpriced_runs),
    personal_usd: sumBy(spent, (row) => row.personal_micros) / 1_000_000,
    platform_usd: sumBy(spent, (row) => row.platform_micros) / 1_000_000,
  }
}

function sumBy<Row>(rows: readonly Row[], pick: (row: Row) => number): number {
  return rows.reduce((total, row) => total + pick(row), 0)
}
