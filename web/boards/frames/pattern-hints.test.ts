import { expect, test } from 'vitest'
import { engagementPatterns, frameTypeNames } from '#contract/boards/frame-types.ts'
import { assistHint, fittingPatterns, slotProblem } from './pattern-hints.ts'

test('a rejection names the pattern, what it takes and where the frame fits', () => {
  expect(slotProblem('form', 'media_card')).toBe(
    'form takes config_panel; media_card fits dialogic, canvas, focus and gallery.',
  )
  expect(slotProblem('gallery', 'dialog')).toBe('gallery takes media_card; dialog fits dialogic and canvas.')
  expect(slotProblem('gallery', 'media_card')).toBeUndefined()
})

test('every type fits canvas, also unknown ones', () => {
  for (const type of frameTypeNames) expect(fittingPatterns(type)).toContain('canvas')
  expect(fittingPatterns('hologram')).toEqual(['canvas'])
})

test('a hint says how well the frame fits the pattern', () => {
  expect(assistHint('focus', 'media_card')).toMatch(/A Media Card works best here\.$/)
  expect(assistHint('canvas', 'media_card')).toMatch(/It works here too, but best in focus\.$/)
  expect(assistHint('form', 'dialog')).toMatch(/Try dialogic or canvas\.$/)
  for (const pattern of engagementPatterns) expect(assistHint(pattern, 'hologram')).not.toBe('')
})
