import { expect, test } from 'vitest'
import {
  describeAcceptedFrames,
  engagementPatterns,
  frameTypeNames,
  getFittingPatterns,
} from '#contract/boards/frame-types.ts'
import { buildFrame } from '../document/board-document.ts'
import { getFrameKey } from './frame-query.tsx'
import {
  applySettings,
  getAssistHint,
  getChangedText,
  getPatternProblem,
  toFrameSettings,
  validateSettings,
} from './frame-settings-dialog.tsx'

const cover = buildFrame('media_card', { position: { x: 0, y: 0 }, name: 'Cover' })
const talk = buildFrame('dialog', { position: { x: 0, y: 0 }, name: 'Talk' })
const frames = [cover, talk]
const settings = toFrameSettings(cover)

test('unchanged settings are valid', () => {
  expect(validateSettings(settings, cover, frames)).toEqual({})
})

test('frame settings require a name and a valid, unique slug', () => {
  expect(validateSettings({ ...settings, name: '  ' }, cover, frames).name).toBe('Enter a name.')
  expect(validateSettings({ ...settings, slug: '' }, cover, frames).slug).toBe('Enter a slug.')
  expect(validateSettings({ ...settings, slug: 'Two Words' }, cover, frames).slug).toBe(
    'Use lowercase letters, digits and single hyphens.',
  )
  expect(validateSettings({ ...settings, slug: 'x'.repeat(61) }, cover, frames).slug).toBeDefined()
  expect(validateSettings({ ...settings, slug: 'talk' }, cover, frames)).toEqual({
    slug: 'Another frame on this board has this slug.',
    freeSlug: 'talk-2',
  })
})

test('a pattern that does not accept the frame type is rejected', () => {
  expect(validateSettings({ ...settings, pattern: 'wizard' }, cover, frames).pattern).toMatch(
    /^Media Card doesn’t work in wizard\. Choose dialogic, /,
  )
})

test('only changed text is extracted', () => {
  const content = { ...settings.content, title: 'Spring', mediaId: null }
  expect(getChangedText(settings, { ...settings, name: 'Front', content })).toBe('Front\n\nSpring')
  expect(getChangedText(settings, settings)).toBe('')
})

test('only fields changed in the dialog are applied', () => {
  const changedFrame = {
    ...cover,
    data: { ...cover.data, slug: 'front', content: { ...cover.data.content, title: 'Theirs' } },
  }
  const updated = applySettings(changedFrame, settings, {
    ...settings,
    name: ' Front ',
    pattern: 'gallery',
    content: { ...settings.content, alt: 'A lamp' },
  })
  expect(updated.data).toMatchObject({ name: 'Front', slug: 'front', content: { title: 'Theirs', alt: 'A lamp' } })
  expect(updated.FrameConfig).toMatchObject({ name: 'Front', engagementMode: 'gallery' })
  expect(updated.data.position).toBe(cover.data.position)
})

test('frame IDs are qualified by board unless they are random', () => {
  expect(getFrameKey('one', 'cover')).not.toBe(getFrameKey('two', 'cover'))
  expect(getFrameKey('one', 'a'.repeat(32))).toBe('a'.repeat(32))
})

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
