import type { Migration } from '../migrate.ts'

export const answeredCreates: Migration = {
  name: '0002-answered-creates',
  statements: ({ bigint, integer, text }) => [
    `create table answered_creates (
      id ${text} primary key,
      person_id ${text} not null references people (id) on delete cascade,
      body_hash ${text} not null,
      status ${integer},
      answer ${text},
      created_at ${bigint} not null
    )`,
    'create index answered_creates_by_age on answered_creates (created_at)',
  ],
}
