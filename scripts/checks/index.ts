import { readdirSync } from 'node:fs'
import { buildIfChanged } from '../build.ts'
import { root } from '../fingerprint.ts'
import { runTool } from '../run-tool.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'
import { journeysCheck } from './journeys.ts'
import { proseCheck } from './prose.ts'
import { testsCheck } from './tests.ts'
import { weightCheck } from './weight.ts'

/** Passes if the tool ends with 0, and prints its output otherwise. */
function createToolCheck(name: string, script: string, options: string[], remedy?: string): Check {
  return {
    name,
    async run() {
      const { exitCode, output } = await runTool(`node_modules/${script}`, options, { quiet: true })
      if (exitCode === 0) return passedOnce
      console.log(remedy ? `${output.trim()}\n${remedy}` : output.trim())
      return failedOnce
    },
  }
}

/** `npm run gates` checks quality/, which is a separate package. */
const lintedPaths = readdirSync(root).filter(
  (name) => !name.startsWith('.') && !['quality', 'node_modules', 'dist'].includes(name),
)
const formatCheck = createToolCheck(
  'format and lint',
  '@biomejs/biome/bin/biome',
  ['check', '--diagnostic-level=error', '--max-diagnostics=50', ...lintedPaths],
  'To fix most of this: npx biome check --write',
)

/** Each project has its own types: none of Node in the contract, none of the browser on the server. */
const typeChecks = ['contract', 'server', 'web', 'tests/journeys'].map((project) =>
  createToolCheck(`types of ${project}`, 'typescript/bin/tsc', ['-p', project, '--pretty']),
)

const unusedCheck = createToolCheck('nothing unused', 'knip/bin/knip.js', ['--no-progress', '--no-config-hints'])

const buildCheck: Check = {
  name: 'build of pages and server',
  async run() {
    await buildIfChanged()
    return passedOnce
  },
}

/** Everything a change must pass, in order: the same list here and in continuous integration. */
export const checksWithoutBrowser: (Check | Check[])[] = [
  [formatCheck, proseCheck, ...typeChecks, unusedCheck],
  testsCheck,
  buildCheck,
  weightCheck,
]
export const allChecks: (Check | Check[])[] = [...checksWithoutBrowser, journeysCheck]

export const filterableChecks: Check[] = [testsCheck]
