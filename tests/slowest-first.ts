import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By duration, which file size doesn't predict. */
const slowestFiles = [
  'tests/permission-matrix.test.ts',
  'tests/shutdown.test.ts',
  'server/keepers/transfer/hostile-archives.test.ts',
]

/** Starts the slowest files first, so that none runs alone at the end. */
export class SlowestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const getRank = ({ moduleId }: TestSpecification) => {
      const at = slowestFiles.findIndex((path) => moduleId.endsWith(`/${path}`))
      return at === -1 ? slowestFiles.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => getRank(a) - getRank(b))
  }
}
