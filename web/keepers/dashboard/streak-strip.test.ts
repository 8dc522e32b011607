import { describe, expect, it } from 'vitest'
import { listForgivenDays } from './streak-strip.tsx'

/** `x` is a written day, `.` a missed one; the last character is today, November 30. */
const toDays = (pattern: string) =>
  [...pattern].map((mark, index) => ({
    date: new Date(Date.UTC(2026, 10, 31 - pattern.length + index)).toISOString().slice(0, 10),
    count: mark === 'x' ? 1 : 0,
    kept: false,
    mood: null,
  }))

describe('the forgiven days of a streak', () => {
  it.each([
    ['a gap in it', 'xx.xx', 4, ['2026-11-28']],
    ['not today, which is still missing', 'xx.xx.', 4, ['2026-11-27']],
    ['yesterday, while today is still missing', 'xxx..', 3, ['2026-11-29']],
    ['not the gaps before it', 'x..x.xx', 3, ['2026-11-28']],
    ['several gaps, latest first', 'x.xxxxxxx.xx', 10, ['2026-11-28', '2026-11-20']],
  ])('are found: %s', (_, pattern, current, expected) => {
    expect(listForgivenDays({ current, graceUsed: true, days: toDays(pattern) })).toEqual(expected)
  })

  it('are none when no grace was used', () => {
    expect(listForgivenDays({ current: 2, graceUsed: false, days: toDays('x.xx') })).toEqual([])
  })
})
