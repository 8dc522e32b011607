import type { Migration } from '../migrate.ts'

const tables = ['media', 'board_pictures']
const shrinkable = "mime in ('image/jpeg', 'image/png', 'image/webp')"

/** Small versions of pictures; those of existing pictures are due at once. */
export const smallPictures: Migration = {
  name: '0027-small-pictures',
  statements: ({ integer, bigint, text }) =>
    tables.flatMap((table) => [
      `alter table ${table} add column small_sha256 ${text}`,
      `alter table ${table} add column small_mime ${text}`,
      `alter table ${table} add column small_bytes ${integer}`,
      `alter table ${table} add column small_due_at ${bigint}`,
      `create index ${table}_by_small_sha256 on ${table} (small_sha256) where small_sha256 is not null`,
      `create index ${table}_by_small_due on ${table} (small_due_at) where small_due_at is not null`,
      `update ${table} set small_due_at = created_at where ${shrinkable}`,
    ]),
}
