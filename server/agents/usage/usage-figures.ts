import type { UsageFigures } from '#contract/agents/usage.ts'
import { percentile, type Times } from './run-durations.ts'
import type { CountedRow, SpentRow } from './usage-queries.ts'

type Counted = Omit<CountedRow, 'times'> & { times: Times }

export function figuresOf(counted: readonly Counted[], spent: readonly SpentRow[]): UsageFigures {
  const times = counted.map((row) => row.times)
  return {
    runs: sum(counted, (row) => row.runs),
    errors: sum(counted, (row) => row.errors),
    mock_runs: sum(counted, (row) => row.mock_runs),
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    input_tokens: sum(spent, (row) => row.input_tokens),
    output_tokens: sum(spent, (row) => row.output_tokens),
    estimated: spent.some((row) => row.estimated > 0),
    cost_usd: sum(spent, (row) => row.cost_micros) / 1_000_000,
    unpriced_runs: sum(counted, (row) => row.unpriced_runs),
    personal_usd: sum(spent, (row) => row.personal_micros) / 1_000_000,
    platform_usd: sum(spent, (row) => row.platform_micros) / 1_000_000,
  }
}

function sum<Row>(rows: readonly Row[], pick: (row: Row) => number): number {
  return rows.reduce((total, row) => total + pick(row), 0)
}
