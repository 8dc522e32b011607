import type { Migration } from '../migrate.ts'

export const modelServices: Migration = {
  name: '0024-model-services',
  statements: ({ integer, milliseconds, text }) => [
    `create table model_services (
      id ${text} primary key,
      name ${text} not null,
      base_url ${text} not null,
      sealed ${text} not null,
      rev ${integer} not null default 1,
      created_at ${milliseconds} not null,
      updated_at ${milliseconds} not null
    )`,
  ],
}
