import { expect, it } from 'vitest'
import type { Moment } from '#contract/keepers/moments.ts'
import type { PendingWrite } from '#web/offline/pending-write.ts'
import {
  applyMomentWrites,
  assignPrompt,
  createBlankMomentDraft,
  formatMomentField,
  getChangedFields,
  hasContent,
  toCreateBody,
  toMomentDraft,
} from './moment-draft.ts'

const moment: Moment = {
  id: 'm',
  keeperId: 'k',
  createdAt: '2026-11-20T14:30:00.000Z',
  updatedAt: '2026-11-20T14:30:00.000Z',
  rev: 3,
  occurredAt: '2026-11-20T14:30:45.123Z',
  localDate: '2026-11-20',
  timezone: 'Asia/Tokyo',
  title: null,
  body: 'late\r\n',
  mood: { score: 1, label: null },
  place: { name: 'Yokohama', lat: 35.4, lng: 139.6 },
  weather: null,
  topics: [{ id: 't', name: 'Per', color: 'ochre' }],
  media: [],
  journeyId: null,
  pinned: false,
  aiVisible: true,
  promptId: null,
}

it('saving without a change sends nothing, despite seconds and line endings', () => {
  expect(getChangedFields(toMomentDraft(moment), toMomentDraft(moment))).toEqual({})
})

it('text answers the question shown when it was started, until it is cleared', () => {
  const blank = createBlankMomentDraft()
  const typeText = (previous: typeof blank, body: string, promptId?: string) =>
    assignPrompt(previous, { ...previous, body }, promptId)
  const started = typeText(blank, 'A', 'light')
  const later = typeText(started, 'A lamp', 'who')
  expect(toCreateBody(later)).toMatchObject({ body: 'A lamp', promptId: 'light' })
  const restarted = typeText(typeText(later, '', 'who'), 'Per', 'who')
  expect(toCreateBody(restarted).promptId).toBe('who')
  expect('promptId' in toCreateBody(typeText(blank, 'Unasked'))).toBe(false)
  expect('promptId' in toCreateBody(assignPrompt(blank, { ...blank, title: 'A picture' }, 'light'))).toBe(false)
})

it('a save sends only the changed fields: for a day, also its instant and time zone', () => {
  const saved = toMomentDraft(moment)
  const changes = { topics: ['Per', 'Ida'], mood: null }
  expect(getChangedFields(saved, { ...saved, ...changes })).toEqual(changes)
  const localTime = { day: '2019-07-01', time: '23:30', timezone: 'Asia/Tokyo' }
  const day = { occurredAt: '2019-07-01T14:30:00.000Z', localDate: '2019-07-01', timezone: 'Asia/Tokyo' }
  expect(getChangedFields(saved, { ...saved, lived: localTime })).toEqual(day)
})

it('a new moment uses the current time unless a day was set', () => {
  const now = Date.parse('2026-11-21T08:00:01.500Z')
  const draft = { ...createBlankMomentDraft(), body: 'a' }
  expect(toCreateBody(draft, now)).toMatchObject({
    id: draft.id,
    occurredAt: '2026-11-21T08:00:01.500Z',
    title: null,
  })
  const localTime = { day: '2020-02-29', time: '', timezone: 'UTC' }
  expect(toCreateBody({ ...draft, lived: localTime }, now)).toMatchObject({
    occurredAt: '2020-02-29T12:00:00.000Z',
    localDate: '2020-02-29',
  })
})

it('hasContent accepts a picture and rejects blanks', () => {
  const draft = createBlankMomentDraft()
  expect(hasContent({ ...draft, body: ' \n' })).toBe(false)
  expect(hasContent({ ...draft, media: [createPicture('p')] })).toBe(true)
})

const createPicture = (id: string) => ({ id, kind: 'image' as const, mime: 'image/png', name: null, alt: null })
const unmeasured = { bytes: 1, sha256: 'x', width: null, height: null, durationMs: null }
const createSavedPicture = (id: string) => ({ ...createPicture(id), ...unmeasured })

const createEditWrite = (body: Record<string, unknown>) =>
  ({ thing: 'm', body, endpoint: { method: 'PUT', path: '/', creates: false } }) as unknown as PendingWrite
const createUploadWrite = (id: string) =>
  ({
    query: { id, name: `${id}.png`, width: 2, height: 3 },
    mime: 'image/png',
    endpoint: { method: 'POST', path: '/', creates: false },
  }) as unknown as PendingWrite

it('editing again keeps the pictures of a queued edit', () => {
  const previous = { ...moment, media: [createSavedPicture('a')] }
  const updated = applyMomentWrites(previous, [
    createUploadWrite('b'),
    createEditWrite({ mediaIds: ['a', 'b'] }),
    createUploadWrite('of-another'),
  ])
  expect(updated.media).toMatchObject([
    createSavedPicture('a'),
    { id: 'b', kind: 'image', name: 'b.png', width: 2, height: 3 },
  ])
  const draft = toMomentDraft(updated)
  expect(getChangedFields(toMomentDraft(updated), draft), 'nothing is sent again').toEqual({})
  expect(getChangedFields(toMomentDraft(updated), { ...draft, media: [...draft.media, createPicture('c')] })).toEqual({
    mediaIds: ['a', 'b', 'c'],
  })
})

it('a queued edit keeps pictures already uploaded and drops removed ones', () => {
  const previous = { ...moment, media: [createSavedPicture('a'), createSavedPicture('z')] }
  const updated = applyMomentWrites(previous, [createEditWrite({ mediaIds: ['b', 'a'], body: 'later' })])
  expect(updated.media).toMatchObject([
    { id: 'b', kind: 'file', name: 'Added earlier' },
    { id: 'a', kind: 'image', name: null },
  ])
  expect(updated.body).toBe('later')
  expect(updated).not.toHaveProperty('mediaIds')
  expect(
    applyMomentWrites(previous, [createEditWrite({ body: 'x' }), createEditWrite({ mediaIds: [] })]).media,
  ).toEqual([])
})

it('formatMomentField shows a mood and a time as text', () => {
  expect(formatMomentField('mood', { score: -1, label: 'tired' })).toBe('Low: tired')
  expect(formatMomentField('mood', { score: 2, label: null })).toBe('Very good')
  expect(formatMomentField('mood', null)).toBeUndefined()
  expect(formatMomentField('occurredAt', '2026-11-19T14:30:00.000Z')).toContain('2026')
  expect(formatMomentField('body', 'A')).toBeUndefined()
})
