import { runTool } from '../run-tool.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'

/** Each project has its own types: none of Node in the contract, none of the browser on the server. */
export const types: Check[] = ['contract', 'server', 'web', 'tests/journeys'].map((project) => ({
  name: `types of ${project}`,
  async run() {
    const { exitCode, output } = await runTool('node_modules/typescript/bin/tsc', ['-p', project, '--pretty'], {
      quiet: true,
    })
    if (exitCode === 0) return passedOnce
    console.log(output.trim())
    return failedOnce
  },
}))
