import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '#server/db/database.ts'

export type SqlExpression = RawBuilder<unknown>

export interface CountRow {
  key: string | number | null
  runs: number
  errors: number
  mock_runs: number
  unpriced_runs: number
  /** Unsorted milliseconds as a JSON array: text, or parsed by the driver. */
  times: string | number[] | null
}

export interface SpendRow {
  key: string | number | null
  input_tokens: number
  output_tokens: number
  estimated: number
  cost_micros: number
  personal_micros: number
  platform_micros: number
}

/** Counts finished runs by key with their durations. Computing percentiles in SQL takes four times as long. */
export function selectRunCounts(
  engine: Engine,
  key: SqlExpression,
  where: SqlExpression,
): RawBuilder<CountRow & { name: string; last: number }> {
  return sql`
    select ${key} as key, max(agent_name) as name, max(created_at) as last, count(*) as runs,
      sum(case when status in ('error', 'interrupted') then 1 else 0 end) as errors,
      sum(case when mock_mode then 1 else 0 end) as mock_runs,
      sum(case when cost_micros is null then 1 else 0 end) as unpriced_runs,
      ${aggregateArray(engine, sql`execution_time_ms`)} as times
    from runs where status <> 'running' and ${where} group by 1`
}

export function selectCallCounts(engine: Engine, key: SqlExpression, where: SqlExpression): RawBuilder<CountRow> {
  return sql`
    select ${key} as key, count(*) as runs,
      sum(case when failure is null or failure = 'stopped' then 0 else 1 end) as errors,
      sum(case when key_source = 'mock' then 1 else 0 end) as mock_runs,
      sum(case when cost_micros is null then 1 else 0 end) as unpriced_runs,
      ${aggregateArray(engine, sql`duration_ms`)} as times
    from model_calls where ${where} group by 1`
}

export function selectCallSpend(key: SqlExpression, where: SqlExpression): RawBuilder<SpendRow> {
  const cost = (source: string) => sql`sum(case when key_source = ${source} then coalesce(cost_micros, 0) else 0 end)`
  return sql`
    select ${key} as key, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      max(case when estimated then 1 else 0 end) as estimated,
      sum(coalesce(cost_micros, 0)) as cost_micros,
      ${cost('personal')} as personal_micros, ${cost('platform')} as platform_micros
    from model_calls where ${where} group by 1`
}

function aggregateArray(engine: Engine, value: SqlExpression): SqlExpression {
  const aggregate = sql.raw(engine === 'postgres' ? 'json_agg' : 'json_group_array')
  return sql`${aggregate}(${value}) filter (where ${value} is not null)`
}
