import type { Migration } from '../migrate.ts'

/** The trace keeps what a model thought, beside what it answered. */
export const reasoningOfSteps: Migration = {
  name: '0022-reasoning-of-steps',
  statements: ({ text }) => [`alter table run_spans add column reasoning ${text}`],
}
