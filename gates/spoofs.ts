import { spawn } from 'node:child_process'
import { report, root } from '../bench/measure.ts'

// Every call, in each of four ways to say one is Ada, as six kinds of people: beside a world that is told nothing, the answer has
// to have the same bytes and the database the same rows.
process.chdir(root)
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', 'tests/spoofs.test.ts'],
  {
    env: { ...process.env, KEEPER_SPOOFS: 'all', KEEPER_TEST_ENGINES: 'sqlite' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
let said = ''
child.stdout.on('data', (chunk) => {
  said += chunk
})
const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
const [, compared = '0', different = 'unknown'] = /compared (\d+), different (\d+)/.exec(said) ?? []
if (code !== 0) console.log(said)
report(
  'a request that says it is somebody else is answered to the byte as one that does not',
  `${compared} requests, ${different} different`,
  '7,000 or more, 0 different',
  Number(compared) >= 7000 && different === '0',
)
const noticed = said.match(/✓.*a door that believed the/g)?.length ?? 0
report('control: a door that believes it', `noticed: ${noticed} of 4 ways`, 'must be noticed', noticed === 4)
