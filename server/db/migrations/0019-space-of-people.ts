import type { Migration } from '../migrate.ts'

export const personUsage: Migration = {
  name: '0019-space-of-people',
  statements: ({ json, bigint, text }) => [
    `create table person_usage (
      person_id ${text} primary key references people (id) on delete cascade,
      row_count ${bigint} not null,
      byte_count ${bigint} not null,
      counted_at ${bigint} not null
    )`,
    `alter table sole_versions add column difference ${json}`,
  ],
}
