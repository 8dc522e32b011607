import { expect, it } from 'vitest'
import { countByDay } from './count-by-day.ts'

const items = ['2026-11-30', '2026-11-30', '2026-11-29'].map((localDate) => ({ localDate }))

it('counts every day once all moments are loaded', () => {
  expect([...countByDay(items, false)]).toEqual([
    ['2026-11-30', 2],
    ['2026-11-29', 1],
  ])
})

it('claims no count for a day that the next page may continue', () => {
  expect([...countByDay(items, true)]).toEqual([['2026-11-30', 2]])
  expect(countByDay([], true).size).toBe(0)
})
