import type { Migration } from '../migrate.ts'

/**
 * Sessions get an age at which they end. Those that are open when Keeper is upgraded count theirs from when they were
 * last used, so that the upgrade itself signs nobody out; every later one counts it from its sign-in.
 */
export const sessionAge: Migration = {
  name: '0020-session-age',
  statements: ({ milliseconds }) => [
    `alter table sessions add column age_counted_from ${milliseconds}`,
    'update sessions set age_counted_from = last_seen_at',
  ],
}
