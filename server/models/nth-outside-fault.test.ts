import { expect, test } from 'vitest'
import { engines } from '#tests/engines.ts'
import { NthOutsideFaults, outsideStories } from '#tests/nth-outside-fault.ts'

// Every call that asks anything of anybody outside, in every way to fail: npm run gates nth-outside-fault.
test.each(engines)(
  'an agent with tools on %s whose Nth request fails says so in words, leaves one row and nothing stuck, and works afterwards',
  async (engine) => {
    const faults = new NthOutsideFaults(engine)
    await faults.open()
    try {
      for (const story of outsideStories('agents.run with openai, streamed')) await faults.tryStory(story)
    } finally {
      await faults.close()
    }
    expect(faults.figures.faults).toBe(12)
    expect(faults.figures.wrong).toEqual([])
  },
  60_000,
)
