import type { Migration } from '../migrate.ts'

/** Whoever made a link may know the password that was set by it. Of those of before it is not known. */
export const whoMadeLinks: Migration = {
  name: '0015-who-made-links',
  statements: ({ boolean }) => [`alter table one_time_links add column by_lesser ${boolean} not null default false`],
}
