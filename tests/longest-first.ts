import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By duration, which file size doesn't predict. */
const longest = [
  'tests/permission-matrix.test.ts',
  'tests/shutdown.test.ts',
  'server/keepers/transfer/hostile-archives.test.ts',
]

/** Starts the slowest files first, so that none runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
