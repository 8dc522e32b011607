import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They run longest, which their size does not tell; the longest first. */
const longest = [
  'tests/permission-matrix.test.ts',
  'tests/shutdown.test.ts',
  'server/keepers/transfer/hostile-archives.test.ts',
]

/** Begins with the files that run longest: one that begins last runs a minute beside idle cores. The rest as vitest has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
