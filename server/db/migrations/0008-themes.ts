import type { Migration } from '../migrate.ts'

export const themes: Migration = {
  name: '0008-themes',
  statements: ({ integer, json, bigint, text }) => [
    `create table themes (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      slug ${text} not null unique,
      name ${text} not null,
      note ${text} not null,
      light ${json} not null,
      dark ${json} not null,
      basis ${text},
      visibility ${text} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      rev ${integer} not null default 1,
      deleted_at ${bigint}
    )`,
    'create index themes_by_owner on themes (owner_id, updated_at)',
    "create index themes_for_everybody on themes (updated_at, id) where visibility = 'public' and deleted_at is null",
    'create index themes_by_deletion on themes (deleted_at) where deleted_at is not null',
  ],
}
