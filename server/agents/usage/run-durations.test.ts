import { expect, it } from 'vitest'
import { calculatePercentile, sortDurations } from './run-durations.ts'

it('sorts the durations of either engine', () => {
  expect([...sortDurations('[30,9,100]')]).toEqual([9, 30, 100])
  expect([...sortDurations([30, 9, 100])]).toEqual([9, 30, 100])
  expect([...sortDurations(null)]).toEqual([])
})

it('finds the nearest rank over several lists', () => {
  let seed = 7
  const next = (max: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % max
  }
  for (let round = 0; round < 200; round++) {
    const lists = Array.from({ length: 1 + next(5) }, () =>
      sortDurations(Array.from({ length: next(12) }, () => next(40))),
    )
    const all = lists.flatMap((list) => [...list]).sort((a, b) => a - b)
    for (const share of [0.01, 0.5, 0.95, 1])
      expect(calculatePercentile(lists, share)).toBe(all[Math.max(0, Math.ceil(all.length * share) - 1)] ?? null)
  }
})
