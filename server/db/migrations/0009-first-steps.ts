import type { Migration } from '../migrate.ts'

export const firstSteps: Migration = {
  name: '0009-first-steps',
  statements: ({ milliseconds }) => [`alter table people add column first_steps_dismissed_at ${milliseconds}`],
}
