import type { Migration } from '../migrate.ts'

/** The creator of a reset link may know the new password. Unknown for existing links. */
export const resetLinkCreators: Migration = {
  name: '0015-who-made-links',
  statements: ({ boolean }) => [`alter table one_time_links add column by_lesser ${boolean} not null default false`],
}
