import { runTool } from '../run-tool.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'

export const formatAndLint: Check = {
  name: 'format and lint',
  async run() {
    const { exitCode, output } = await runTool(
      'node_modules/@biomejs/biome/bin/biome',
      ['check', '--diagnostic-level=error', '--max-diagnostics=50'],
      { quiet: true },
    )
    if (exitCode === 0) return passedOnce
    console.log(`${output.trim()}\nTo fix most of this: npx biome check --write`)
    return failedOnce
  },
}
