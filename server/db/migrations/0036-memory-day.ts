import type { Migration } from '../migrate.ts'

export const memoryDay: Migration = {
  name: '0036-memory-day',
  statements: ({ text, integer }) => [
    `alter table runs add column as_of ${text}`,
    `alter table runs add column connection_id ${text}`,
    `alter table connections add column monthly_limit_micros ${integer}`,
    'alter table proposals drop column title',
  ],
}
