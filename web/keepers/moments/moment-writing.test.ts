import { expect, it } from 'vitest'
import type { Moment } from '#contract/keepers/moments.ts'
import { blankWriting, changedBody, createBody, hasContent, writingOf } from './moment-writing.ts'

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

it('opening and saving without a change sends nothing, seconds and line ends included', () => {
  expect(changedBody(moment, writingOf(moment))).toEqual({})
})

it('a save sends what was changed and nothing else', () => {
  const writing = { ...writingOf(moment), topics: ['Per', 'Ida'], mood: null }
  expect(changedBody(moment, writing)).toEqual({ topics: ['Per', 'Ida'], mood: null })
})

it('another day sends the instant, the day and the zone together', () => {
  const lived = { day: '2019-07-01', time: '23:30', timezone: 'Asia/Tokyo' }
  expect(changedBody(moment, { ...writingOf(moment), lived })).toEqual({
    occurredAt: '2019-07-01T14:30:00.000Z',
    localDate: '2019-07-01',
    timezone: 'Asia/Tokyo',
  })
})

it('a new moment is of now unless it was given a day', () => {
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

it('blanks are no content; a picture is', () => {
  const writing = blankWriting()
  expect(hasContent({ ...writing, body: ' \n' })).toBe(false)
  const media = [{ id: 'p', kind: 'image' as const, mime: 'image/png', name: null, alt: null }]
  expect(hasContent({ ...writing, media })).toBe(true)
})
