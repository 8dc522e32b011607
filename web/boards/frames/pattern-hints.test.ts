import { expect, test } from 'vitest'
import { engagementPatterns, frameTypeNames } from '#contract/boards/frame-types.ts'
import { getAssistHint, getFittingPatterns, toSlotProblem } from './pattern-hints.ts'

test('a rejection names the pattern, what it takes and where the frame fits', () => {
  expect(toSlotProblem('form', 'media_card')).toBe(
    'form accepts config_panel; media_card works in dialogic, canvas, focus and gallery.',
  )
  expect(toSlotProblem('gallery', 'dialog')).toBe('gallery accepts media_card; dialog works in dialogic and canvas.')
  expect(toSlotProblem('gallery', 'media_card')).toBeUndefined()
})

test('every type fits canvas, also unknown ones', () => {
  for (const type of frameTypeNames) expect(getFittingPatterns(type)).toContain('canvas')
  expect(getFittingPatterns('hologram')).toEqual(['canvas'])
})

test('a hint says how well the frame fits the pattern', () => {
  expect(getAssistHint('focus', 'media_card')).toMatch(/Media Card works best here\.$/)
  expect(getAssistHint('canvas', 'media_card')).toMatch(/works here too, but works best in focus\.$/)
  expect(getAssistHint('form', 'dialog')).toMatch(/Try dialogic or canvas\.$/)
  for (const pattern of engagementPatterns) expect(getAssistHint(pattern, 'hologram')).not.toBe('')
})
