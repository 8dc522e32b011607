import type { Migration } from '../migrate.ts'

export const createdRowCount = 60_000

export const longMigration: Migration = {
  name: '0001-long',
  statements: ({ text, integer }) => [
    `create table made (number ${integer} primary key, text ${text} not null)`,
    `insert into made with recursive numbers (number) as (values (1) union all select number + 1 from numbers where number < ${createdRowCount})
     select number, 'some words to fill a page ' || number from numbers`,
    'create index made_by_text on made (text)',
    `update made set text = text || '.'`,
  ],
}
