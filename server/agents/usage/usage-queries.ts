import { type RawBuilder, sql } from 'kysely'

/** Part of a `where`, over `runs` or `model_calls`: both name owner, person and time alike. */
export type Condition = RawBuilder<unknown>

export interface TimedRow {
  key: string | number | null
  runs: number
  errors: number
  mock_runs: number
  unpriced_runs: number
  p50_ms: number | null
  p95_ms: number | null
}

export interface SpentRow {
  key: string | number | null
  input_tokens: number
  output_tokens: number
  estimated: number
  cost_micros: number
  personal_micros: number
  platform_micros: number
}

/** Ended runs, counted and timed by a key. Percentiles by nearest rank. */
export function timedRuns(key: Condition, where: Condition): RawBuilder<TimedRow & { name: string; last: number }> {
  return sql`
    select key, max(name) as name, max(created_at) as last, ${counted}
    from (
      select ${key} as key, agent_name as name, created_at, execution_time_ms as ms,
        case when status in ('error', 'interrupted') then 1 else 0 end as failed,
        case when mock_mode then 1 else 0 end as mock,
        case when cost_micros is null then 1 else 0 end as unpriced,
        ${ranks(key, sql`execution_time_ms`)}
      from runs where status <> 'running' and ${where}
    ) as ranked
    group by key`
}

/** Requests to models, counted and timed by a key. */
export function timedCalls(key: Condition, where: Condition): RawBuilder<TimedRow> {
  return sql`
    select key, ${counted}
    from (
      select ${key} as key, duration_ms as ms,
        case when failure is null then 0 else 1 end as failed,
        case when key_source = 'mock' then 1 else 0 end as mock,
        case when cost_micros is null then 1 else 0 end as unpriced,
        ${ranks(key, sql`duration_ms`)}
      from model_calls where ${where}
    ) as ranked
    group by key`
}

/** What requests to models used and cost, by a key. */
export function spentByCalls(key: Condition, where: Condition): RawBuilder<SpentRow> {
  const cost = (source: string) => sql`sum(case when key_source = ${source} then coalesce(cost_micros, 0) else 0 end)`
  return sql`
    select ${key} as key, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      max(case when estimated then 1 else 0 end) as estimated,
      sum(coalesce(cost_micros, 0)) as cost_micros,
      ${cost('personal')} as personal_micros, ${cost('platform')} as platform_micros
    from model_calls where ${where} group by 1`
}

const counted = sql`
  count(*) as runs, sum(failed) as errors, sum(mock) as mock_runs, sum(unpriced) as unpriced_runs,
  max(case when place = (timed * 50 + 99) / 100 then ms end) as p50_ms,
  max(case when place = (timed * 95 + 99) / 100 then ms end) as p95_ms`

/** A run without a time has a place too, in a line of its own. */
function ranks(key: Condition, ms: Condition): Condition {
  return sql`
    row_number() over (partition by ${key}, ${ms} is null order by ${ms}) as place,
    count(${ms}) over (partition by ${key}) as timed`
}
