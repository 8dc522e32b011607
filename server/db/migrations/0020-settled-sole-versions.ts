import type { Migration } from '../migrate.ts'

/** Rejected and superseded versions of a SOLE can say how they differ from another one, instead of repeating it. */
export const settledSoleVersions: Migration = {
  name: '0020-settled-sole-versions',
  statements: ({ json }) => [`alter table sole_versions add column difference ${json}`],
}
