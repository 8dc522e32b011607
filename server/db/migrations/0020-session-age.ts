import type { Migration } from '../migrate.ts'

/** Maximum session age. Open sessions count from their last use, so that the upgrade signs no one out; later ones from sign-in. */
export const sessionAge: Migration = {
  name: '0020-session-age',
  statements: ({ bigint }) => [
    `alter table sessions add column age_counted_from ${bigint}`,
    'update sessions set age_counted_from = last_seen_at',
  ],
}
