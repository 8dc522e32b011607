import type { Migration } from '../migrate.ts'

export const longMigrationRowCount = 60_000

/** Takes so long that a test can kill the process in the middle of it. */
export const longMigration: Migration = {
  name: '0001-long',
  statements: ({ text, integer }) => [
    `create table made (number ${integer} primary key, text ${text} not null)`,
    `insert into made with recursive numbers (number) as (values (1) union all select number + 1 from numbers where number < ${longMigrationRowCount})
     select number, 'some words to fill a page ' || number from numbers`,
    'create index made_by_text on made (text)',
    `update made set text = text || '.'`,
  ],
}
