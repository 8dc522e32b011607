import { expect, test } from 'vitest'
import { engines } from '#tests/engines.ts'
import { listOutsideStories, NthOutsideFaults } from '#tests/nth-outside-fault.ts'

// Every outside call, failing in every way: npm run gates nth-outside-fault.
test.each(engines)(
  'an agent with tools on %s recovers from a failure of its Nth request',
  async (engine) => {
    const faults = new NthOutsideFaults(engine)
    await faults.open()
    try {
      for (const story of listOutsideStories('agents.run with openai, streamed')) await faults.tryStory(story)
    } finally {
      await faults.close()
    }
    expect(faults.stats.faults).toBe(12)
    expect(faults.stats.problems).toEqual([])
  },
  60_000,
)
