import { runTool } from '../run-tool.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'

export const unused: Check = {
  name: 'nothing unused',
  async run() {
    const { exitCode, output } = await runTool(
      'node_modules/knip/bin/knip.js',
      ['--no-progress', '--no-config-hints'],
      {
        quiet: true,
      },
    )
    if (exitCode === 0) return passedOnce
    console.log(output.trim())
    return failedOnce
  },
}
