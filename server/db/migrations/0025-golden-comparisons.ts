import type { Migration } from '../migrate.ts'

export const goldenComparisons: Migration = {
  name: '0025-golden-comparisons',
  statements: ({ json, text }) => [
    `alter table golden_runs add column models ${json}`,
    `alter table golden_runs add column memory_check_id ${text}`,
    `alter table golden_runs add column memory_hash ${text}`,
    'create index golden_runs_by_memory_check on golden_runs (memory_check_id) where memory_check_id is not null',
  ],
}
