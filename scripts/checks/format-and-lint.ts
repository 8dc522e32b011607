import { readdirSync } from 'node:fs'
import { root } from '../fingerprint.ts'
import { runTool } from '../run-tool.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'

/** `npm run gates` checks quality/, which is a separate package. */
const lintedPaths = readdirSync(root).filter(
  (name) => !name.startsWith('.') && !['quality', 'node_modules', 'dist'].includes(name),
)

export const formatAndLint: Check = {
  name: 'format and lint',
  async run() {
    const { exitCode, output } = await runTool(
      'node_modules/@biomejs/biome/bin/biome',
      ['check', '--diagnostic-level=error', '--max-diagnostics=50', ...lintedPaths],
      { quiet: true },
    )
    if (exitCode === 0) return passedOnce
    console.log(`${output.trim()}\nTo fix most of this: npx biome check --write`)
    return failedOnce
  },
}
