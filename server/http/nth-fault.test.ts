import { expect, test } from 'vitest'
import { addressBook } from '#contract/index.ts'
import { engines } from '#tests/engines.ts'
import { NthFaults, writeOneByOne } from '#tests/nth-fault.ts'

// Every call that changes anything, in every way to fail: npm run gates nth-fault.
const register = addressBook().find(({ area, name }) => `${area}.${name}` === 'accounts.register')

async function wrongWith(faults: NthFaults): Promise<string[]> {
  try {
    await faults.tryCall(register!, ['once'])
    expect(faults.figures.faults).toBeGreaterThan(4)
    return faults.figures.wrong
  } finally {
    await faults.close()
  }
}

test.each(engines)(
  'registering on %s whose Nth call fails is whole or nothing, and works when asked again',
  async (engine) => {
    expect(await wrongWith(new NthFaults(engine))).toEqual([])
  },
  60_000,
)

test.each(engines)(
  'control: on %s, one that writes its rows one by one is noticed',
  async (engine) => {
    expect((await wrongWith(new NthFaults(engine, writeOneByOne))).join()).toContain('half of it is done')
  },
  60_000,
)
