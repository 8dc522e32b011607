import { expect, test } from 'vitest'
import {
  describeAcceptedFrames,
  engagementPatterns,
  frameTypeNames,
  getFittingPatterns,
} from '#contract/boards/frame-types.ts'
import { getAssistHint, getPatternProblem } from './frame-settings-dialog.tsx'

test('a mismatch names the frame and the patterns to choose instead', () => {
  expect(getPatternProblem('form', 'media_card')).toBe(
    'Media Card doesn’t work in form. Choose dialogic, canvas, focus or gallery.',
  )
  expect(getPatternProblem('gallery', 'dialog')).toBe(
    'Dialog Frame doesn’t work in gallery. Choose dialogic or canvas.',
  )
  expect(getPatternProblem('gallery', 'media_card')).toBeUndefined()
})

test('each pattern names the frames it works with', () => {
  expect(describeAcceptedFrames('canvas')).toBe('Works with every frame.')
  expect(describeAcceptedFrames('gallery')).toBe('Works with Media Card.')
  expect(describeAcceptedFrames('dialogic')).toBe('Works with Dialog Frame and any content frame.')
})

test('every type fits canvas, also unknown ones', () => {
  for (const type of frameTypeNames) expect(getFittingPatterns(type)).toContain('canvas')
  expect(getFittingPatterns('hologram')).toEqual(['canvas'])
})

test('a hint says how well the frame fits the pattern', () => {
  expect(getAssistHint('focus', 'media_card')).toMatch(/Media Card works best here\.$/)
  expect(getAssistHint('canvas', 'media_card')).toMatch(/works here too, but works best in focus\.$/)
  expect(getAssistHint('form', 'dialog')).toMatch(/Choose dialogic or canvas\.$/)
  for (const pattern of engagementPatterns) expect(getAssistHint(pattern, 'hologram')).not.toBe('')
})
