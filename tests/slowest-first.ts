import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** File size doesn't predict the duration. */
const slowestFiles = [
  'tests/permission-matrix.test.ts',
  'tests/shutdown.test.ts',
  // Collects garbage dozens of times, which takes longer the more a process has loaded.
  'tests/spellings.test.ts',
  'server/backups/restore-in-product.test.ts',
  'server/keepers/media/media.test.ts',
  'server/keepers/keepers.test.ts',
  'tests/canaries.test.ts',
]

/** Starts the slowest files first, so that none runs alone at the end. */
export class SlowestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const getRank = ({ moduleId }: TestSpecification) => {
      const index = slowestFiles.findIndex((path) => moduleId.endsWith(`/${path}`))
      return index === -1 ? slowestFiles.length : index
    }
    return (await super.sort(files)).toSorted((a, b) => getRank(a) - getRank(b))
  }
}
