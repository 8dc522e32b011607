import type { Migration } from '../migrate.ts'

export const stepReasoning: Migration = {
  name: '0022-reasoning-of-steps',
  statements: ({ text }) => [`alter table run_spans add column reasoning ${text}`],
}
