import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Reporter } from 'vitest/node'
import { root } from '../fingerprint.ts'

/** The reporter writes a `string[]` of stacks to this file. */
export const errorsOutsideTestsFile = join(root, 'node_modules/.cache/errors-outside-tests.json')

/** Names what fails a run whose tests all pass; Vitest's JSON report leaves it out. */
export default class ErrorsOutsideTests implements Reporter {
  onTestRunEnd: Reporter['onTestRunEnd'] = (_modules, errors) => {
    mkdirSync(dirname(errorsOutsideTestsFile), { recursive: true })
    const texts = errors.map(
      ({ stack, message, VITEST_TEST_PATH: file }) => `${file ?? 'no test file'}: ${stack ?? message}`,
    )
    writeFileSync(errorsOutsideTestsFile, JSON.stringify(texts))
  }
}
