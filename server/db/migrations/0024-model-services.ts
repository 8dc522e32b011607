import type { Migration } from '../migrate.ts'

export const modelServices: Migration = {
  name: '0024-model-services',
  statements: ({ integer, bigint, text }) => [
    `create table model_services (
      id ${text} primary key,
      name ${text} not null,
      base_url ${text} not null,
      sealed ${text} not null,
      rev ${integer} not null default 1,
      created_at ${bigint} not null,
      updated_at ${bigint} not null
    )`,
  ],
}
