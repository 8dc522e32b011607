import type { Migration } from '../migrate.ts'

export const budgetReservations: Migration = {
  name: '0011-budget-holds',
  statements: ({ bigint, text }) => [
    `create table budget_holds (
      id ${text} not null,
      run_id ${text} not null,
      bucket ${text} not null,
      window_start ${bigint} not null,
      micros ${bigint} not null,
      created_at ${bigint} not null,
      primary key (id, bucket)
    )`,
    'create index budget_holds_by_run on budget_holds (run_id)',
  ],
}
