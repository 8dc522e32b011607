import type { Migration } from '../migrate.ts'

/** How many rows and bytes of text each person has, as last counted. */
export const usageOfPeople: Migration = {
  name: '0019-usage-of-people',
  statements: ({ milliseconds, text }) => [
    `create table person_usage (
      person_id ${text} primary key references people (id) on delete cascade,
      row_count ${milliseconds} not null,
      byte_count ${milliseconds} not null,
      counted_at ${milliseconds} not null
    )`,
  ],
}
