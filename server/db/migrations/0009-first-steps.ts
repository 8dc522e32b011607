import type { Migration } from '../migrate.ts'

/** When somebody put the first steps away. */
export const firstSteps: Migration = {
  name: '0009-first-steps',
  statements: ({ milliseconds }) => [`alter table people add column first_steps_dismissed_at ${milliseconds}`],
}
