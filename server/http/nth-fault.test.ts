import { expect, test } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { engines } from '#tests/engines.ts'
import { NthFaults, writeOneByOne } from '#tests/nth-fault.ts'

// All write calls with every kind of fault: npm run gates nth-fault.
const register = listEndpoints().find(({ area, name }) => `${area}.${name}` === 'accounts.register')

async function listViolations(faults: NthFaults): Promise<string[]> {
  try {
    // Each query fails once; there are at least five.
    await faults.tryCall(register!, ['once'])
    expect(faults.stats.faults).toBeGreaterThan(4)
    return faults.stats.problems
  } finally {
    await faults.close()
  }
}

test.each(engines)(
  'registering on %s is atomic and can be retried, whichever query fails',
  async (engine) => {
    expect(await listViolations(new NthFaults(engine))).toEqual([])
  },
  60_000,
)

test.each(engines)(
  'control: on %s, row-by-row writes are detected',
  async (engine) => {
    expect((await listViolations(new NthFaults(engine, writeOneByOne))).join()).toContain('half of it is done')
  },
  60_000,
)
