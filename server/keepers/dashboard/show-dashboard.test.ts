import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculateStreak, getDayBefore } from './show-dashboard.ts'

const today = '2026-11-20'
/** `x`: a day with entries, `.`: without; the last one is today. */
const days = (pattern: string) =>
  [...pattern].flatMap((mark, at) => (mark === 'x' ? getDayBefore(today, pattern.length - 1 - at) : []))

describe('a streak', () => {
  it.each([
    ['', 0, 0, false],
    ['x', 1, 1, false],
    ['xxx', 3, 3, false],
    ['xxx.', 3, 3, false],
    ['xxx..', 3, 3, true],
    ['xxx...', 0, 3, false],
    ['xx.xx', 4, 4, true],
    ['xx..xx', 2, 2, false],
    ['xx.xx.xx', 4, 4, true],
    ['xx.xxxxxx.xx', 10, 10, true],
    ['xxxxx...xx', 2, 5, false],
    ['x.', 1, 1, false],
    ['xx.xx..', 2, 4, true],
  ])('of %j is %i long and %i at most', (pattern, current, expectedLongest, graceUsed) => {
    expect(calculateStreak(days(pattern), today)).toEqual({ current, longest: expectedLongest, graceUsed })
  })

  it('counts a day from beyond the date line', () => {
    expect(calculateStreak(['2026-11-21', '2026-11-20'], today).current).toBe(2)
  })

  it('ignores days dated far ahead', () => {
    const written = days('xxx')
    const ahead = ['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-04']
    expect(calculateStreak([...written, ...ahead], today)).toEqual({ current: 3, longest: 3, graceUsed: false })
    expect(calculateStreak([...written, '2026-11-22'], today)).toEqual({ current: 3, longest: 3, graceUsed: false })
    expect(calculateStreak(ahead, today)).toEqual({ current: 0, longest: 0, graceUsed: false })
  })

  it('never exceeds the number of days, in any order and with duplicates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 })), (ages) => {
        const written = ages.map((age) => getDayBefore(today, age))
        const { current, longest: expectedLongest } = calculateStreak(written, today)
        expect(current).toBeLessThanOrEqual(expectedLongest)
        expect(expectedLongest).toBeLessThanOrEqual(new Set(written).size)
        expect(calculateStreak([...written].reverse(), today)).toEqual(calculateStreak(written, today))
      }),
    )
  })
})
