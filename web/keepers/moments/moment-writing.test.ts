import { expect, it } from 'vitest'
import type { Moment } from '#contract/keepers/moments.ts'
import type { PendingWrite } from '#web/offline/pending-write.ts'
import {
  answering,
  blankWriting,
  changedBody,
  changedOnto,
  choicesIn,
  createBody,
  hasContent,
  momentWithWaiting,
  withoutTheirs,
  writingOf,
} from './moment-writing.ts'

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
  expect(changedBody(moment, writingOf(moment))).toEqual({})
})

it('text answers the question shown when it was started, until it is cleared', () => {
  const blank = blankWriting()
  const typed = (before: typeof blank, body: string, promptId?: string) =>
    answering(before, { ...before, body }, promptId)
  const begun = typed(blank, 'A', 'light')
  const later = typed(begun, 'A lamp', 'who')
  expect(createBody(later)).toMatchObject({ body: 'A lamp', promptId: 'light' })
  const anew = typed(typed(later, '', 'who'), 'Per', 'who')
  expect(createBody(anew).promptId).toBe('who')
  expect('promptId' in createBody(typed(blank, 'Unasked'))).toBe(false)
  expect('promptId' in createBody(answering(blank, { ...blank, title: 'A picture' }, 'light'))).toBe(false)
})

it('a save sends only the changed fields', () => {
  const writing = { ...writingOf(moment), topics: ['Per', 'Ida'], mood: null }
  expect(changedBody(moment, writing)).toEqual({ topics: ['Per', 'Ida'], mood: null })
})

it('changing the day sends the instant, the day and the time zone', () => {
  const lived = { day: '2019-07-01', time: '23:30', timezone: 'Asia/Tokyo' }
  expect(changedBody(moment, { ...writingOf(moment), lived })).toEqual({
    occurredAt: '2019-07-01T14:30:00.000Z',
    localDate: '2019-07-01',
    timezone: 'Asia/Tokyo',
  })
})

it('a new moment uses the current time unless a day was set', () => {
  const now = Date.parse('2026-11-21T08:00:01.500Z')
  const writing = { ...blankWriting(), body: 'a' }
  expect(createBody(writing, now)).toMatchObject({
    id: writing.id,
    occurredAt: '2026-11-21T08:00:01.500Z',
    title: null,
  })
  const lived = { day: '2020-02-29', time: '', timezone: 'UTC' }
  expect(createBody({ ...writing, lived }, now)).toMatchObject({
    occurredAt: '2020-02-29T12:00:00.000Z',
    localDate: '2020-02-29',
  })
})

it('hasContent accepts a picture and rejects blanks', () => {
  const writing = blankWriting()
  expect(hasContent({ ...writing, body: ' \n' })).toBe(false)
  const media = [{ id: 'p', kind: 'image' as const, mime: 'image/png', name: null, alt: null }]
  expect(hasContent({ ...writing, media })).toBe(true)
})

const picture = (id: string) => ({ id, kind: 'image' as const, mime: 'image/png', name: null, alt: null })
const shown = (id: string) => ({ ...picture(id), bytes: 1, sha256: 'x', width: null, height: null, durationMs: null })

const edit = (body: Record<string, unknown>) =>
  ({ thing: 'm', body, endpoint: { method: 'PUT', path: '/', creates: false } }) as unknown as PendingWrite
const uploadOf = (id: string) =>
  ({
    query: { id, name: `${id}.png`, width: 2, height: 3 },
    mime: 'image/png',
    endpoint: { method: 'POST', path: '/', creates: false },
  }) as unknown as PendingWrite

it('editing again keeps the pictures of a queued edit', () => {
  const before = { ...moment, media: [shown('a')] }
  const waits = momentWithWaiting(before, [uploadOf('b'), edit({ mediaIds: ['a', 'b'] }), uploadOf('of-another')])
  expect(waits.media).toMatchObject([shown('a'), { id: 'b', kind: 'image', name: 'b.png', width: 2, height: 3 }])
  const writing = writingOf(waits)
  expect(changedBody(waits, writing), 'nothing is sent again').toEqual({})
  expect(changedBody(waits, { ...writing, media: [...writing.media, picture('c')] })).toEqual({
    mediaIds: ['a', 'b', 'c'],
  })
})

it('a queued edit keeps pictures already uploaded and drops removed ones', () => {
  const before = { ...moment, media: [shown('a'), shown('z')] }
  const waits = momentWithWaiting(before, [edit({ mediaIds: ['b', 'a'], body: 'later' })])
  expect(waits.media.map(({ id, kind, name }) => [id, kind, name])).toEqual([
    ['b', 'file', 'Added earlier'],
    ['a', 'image', null],
  ])
  expect(waits.body).toBe('later')
  expect(waits).not.toHaveProperty('mediaIds')
  expect(momentWithWaiting(before, [edit({ body: 'x' }), edit({ mediaIds: [] })]).media).toEqual([])
})

it('a save keeps remote additions and removals of pictures and topics', () => {
  const before = { ...moment, media: [shown('a'), shown('b')] }
  const writing = { ...writingOf(before), topics: ['Per', 'Ida'], media: [picture('a'), picture('b'), picture('mine')] }
  const topics = [...moment.topics, { id: 'u', name: 'Ferry', color: 'ochre' }]
  const current = { ...before, rev: 4, topics, media: [shown('b'), shown('theirs')] }
  expect(changedOnto(before, writing, current)).toEqual({
    topics: ['Per', 'Ferry', 'Ida'],
    mediaIds: ['b', 'theirs', 'mine'],
  })
  expect(choicesIn(before, writing, current)).toEqual([])
  const reordered = { ...writing, topics: ['Per'], media: [picture('b'), picture('a')] }
  expect(changedOnto(before, reordered, before)).toEqual({ mediaIds: ['b', 'a'] })
})

it('conflicting mood, place and day are choices, and remote picks are not sent', () => {
  const writing = {
    ...writingOf(moment),
    mood: { score: 2, label: '' },
    place: { name: 'Kyoto', lat: null, lng: null },
    lived: { day: '2026-11-19', time: '23:30', timezone: 'Asia/Tokyo' },
  }
  const current = {
    ...moment,
    rev: 4,
    mood: { score: -1, label: 'tired' },
    localDate: '2026-11-18',
    occurredAt: '2026-11-18T14:30:45.123Z',
  }
  const choices = choicesIn(moment, writing, current)
  expect(choices.map(({ label, yours, current: theirs }) => [label, yours, theirs])).toEqual([
    ['Mood', 'Very good', 'Low: tired'],
    ['When', 'Nov 19, 2026, 11:30 PM, Asia/Tokyo', 'Nov 18, 2026, 11:30 PM, Asia/Tokyo'],
  ])
  const body = changedOnto(moment, writing, current)
  const decided = { mood: 'Low: tired', occurredAt: 'Nov 18, 2026, 11:30 PM, Asia/Tokyo' }
  expect(withoutTheirs(body, choices, decided)).toEqual({ place: { name: 'Kyoto', lat: null, lng: null } })
  expect(withoutTheirs(body, choices, { mood: 'Very good', occurredAt: decided.occurredAt })).toEqual({
    place: { name: 'Kyoto', lat: null, lng: null },
    mood: { score: 2, label: null },
  })
})
