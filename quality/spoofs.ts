import { spawn } from 'node:child_process'
import { report, root } from '../bench/measure.ts'

// Claiming to be Ada, in four ways as six kinds of people, must not change a response byte or database row of any call.
process.chdir(root)
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', 'tests/spoofs.test.ts'],
  {
    env: { ...process.env, KEEPER_SPOOFS: 'all', KEEPER_TEST_ENGINES: 'sqlite' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
let testOutput = ''
child.stdout.on('data', (chunk) => {
  testOutput += chunk
})
const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
const [, compared = '0', different = 'unknown'] = /compared (\d+), different (\d+)/.exec(testOutput) ?? []
if (code !== 0) console.log(testOutput)
report(
  "a request that claims another identity gets the same bytes as one that doesn't",
  `${compared} requests, ${different} different`,
  '7,000 or more, 0 different',
  Number(compared) >= 7000 && different === '0',
)
const noticed = testOutput.match(/✓.*is detected on a server that trusts the/g)?.length ?? 0
report('control: a server that believes the claim', `noticed: ${noticed} of 4 ways`, 'must be noticed', noticed === 4)
