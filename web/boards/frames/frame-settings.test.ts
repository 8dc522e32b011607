import { expect, test } from 'vitest'
import { makeFrame } from '../document/board-document.ts'
import { changedWords, problemsIn, settingsOf, withSettings } from './frame-settings.ts'

const cover = makeFrame('media_card', { position: { x: 0, y: 0 }, name: 'Cover' })
const talk = makeFrame('dialog', { position: { x: 0, y: 0 }, name: 'Talk' })
const frames = [cover, talk]
const settings = settingsOf(cover)

test('unchanged settings are valid', () => {
  expect(problemsIn(settings, cover, frames)).toEqual({})
})

test('requires a name and a valid, unique slug', () => {
  expect(problemsIn({ ...settings, name: '  ' }, cover, frames).name).toBe('Enter a name.')
  expect(problemsIn({ ...settings, slug: '' }, cover, frames).slug).toBe('Enter a slug.')
  expect(problemsIn({ ...settings, slug: 'Two Words' }, cover, frames).slug).toBe(
    'Use lowercase letters, digits and single hyphens.',
  )
  expect(problemsIn({ ...settings, slug: 'x'.repeat(61) }, cover, frames).slug).toBeDefined()
  expect(problemsIn({ ...settings, slug: 'talk' }, cover, frames)).toEqual({
    slug: 'Another frame on this board has this slug.',
    freeSlug: 'talk-2',
  })
})

test('rejects a pattern that does not accept the frame type', () => {
  expect(problemsIn({ ...settings, pattern: 'wizard' }, cover, frames).pattern).toMatch(
    /^wizard takes process_frame and config_panel; media_card fits /,
  )
})

test('extracts only changed text', () => {
  const content = { ...settings.content, title: 'Spring', mediaId: null }
  expect(changedWords(settings, { ...settings, name: 'Front', content })).toBe('Front\n\nSpring')
  expect(changedWords(settings, settings)).toBe('')
})

test('applies only fields changed in the dialog', () => {
  const meanwhile = {
    ...cover,
    data: { ...cover.data, slug: 'front', content: { ...cover.data.content, title: 'Theirs' } },
  }
  const after = withSettings(meanwhile, settings, {
    ...settings,
    name: ' Front ',
    pattern: 'gallery',
    content: { ...settings.content, alt: 'A lamp' },
  })
  expect(after.data).toMatchObject({ name: 'Front', slug: 'front', content: { title: 'Theirs', alt: 'A lamp' } })
  expect(after.FrameConfig).toMatchObject({ name: 'Front', engagementMode: 'gallery' })
  expect(after.data.position).toBe(cover.data.position)
})
