import { expect, test } from 'vitest'
import { engagementPatterns, frameTypeNames } from '#contract/boards/frame-types.ts'
import { assistHint, fittingPatterns, slotProblem } from './pattern-hints.ts'

test('a refusal names the pattern, what it takes, and where the frame fits', () => {
  expect(slotProblem('form', 'media_card')).toBe(
    'form takes config_panel; media_card fits dialogic, canvas, focus and gallery.',
  )
  expect(slotProblem('gallery', 'dialog')).toBe('gallery takes media_card; dialog fits dialogic and canvas.')
  expect(slotProblem('gallery', 'media_card')).toBeUndefined()
})

test('every type fits somewhere, and canvas takes what nobody knows', () => {
  for (const type of frameTypeNames) expect(fittingPatterns(type)).toContain('canvas')
  expect(fittingPatterns('hologram')).toEqual(['canvas'])
})

test('a hint says whether the frame is at home', () => {
  expect(assistHint('focus', 'media_card')).toMatch(/A Media Card is at home here\.$/)
  expect(assistHint('canvas', 'media_card')).toMatch(/it is most at home in focus\.$/)
  expect(assistHint('form', 'dialog')).toMatch(/try dialogic or canvas\.$/)
  for (const pattern of engagementPatterns) expect(assistHint(pattern, 'hologram')).not.toBe('')
})
