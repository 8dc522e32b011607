import type { Migration } from '../migrate.ts'

export const firstSteps: Migration = {
  name: '0009-first-steps',
  statements: ({ bigint }) => [`alter table people add column first_steps_dismissed_at ${bigint}`],
}
