import { expect, it } from 'vitest'
import type { JourneyPoint } from '#contract/keepers/journeys.ts'
import { createDemoState } from '#web/keepers/demo/demo-state.ts'
import {
  createTimeline,
  filterUntil,
  formatProgressAt,
  getDayAt,
  getJourneyUntil,
  getNextStop,
  getPreviousStop,
  toPosition,
} from './journey-time.ts'

const [sample] = createDemoState('demo').journeys
if (!sample) throw new Error('The demo has a journey')
const doneDays: Record<string, string> = { 'The keel is scraped': '2026-03-08', 'Back in the water': '2026-04-19' }
const createPoint = (localDate: string, title: string): JourneyPoint => {
  const waypoint = sample.paths
    .flatMap(({ waypoints }) => waypoints)
    .find(({ title: waypointTitle }) => doneDays[waypointTitle] === localDate)
  const id = waypoint?.momentIds[0] ?? 'last'
  const occurredAt = `${localDate}T18:00:00.000Z`
  return { id, occurredAt, localDate, title, excerpt: title, waypointId: waypoint?.id ?? null, pinned: false }
}
const crossing = {
  ...sample,
  startedOn: '2026-03-01',
  beads: [
    createPoint('2026-03-08', 'Dust to the elbows'),
    createPoint('2026-04-19', 'She floats'),
    createPoint('2026-05-03', 'First night aboard'),
  ],
  paths: sample.paths.map((path) => ({
    ...path,
    waypoints: path.waypoints.map((waypoint) => {
      const day = doneDays[waypoint.title]
      return { ...waypoint, doneAt: day ? `${day}T16:00:00.000Z` : null }
    }),
  })),
}
const completed = { ...crossing, status: 'completed' as const, completedAt: '2026-06-01T12:00:00.000Z' }

it('a journey as of a day has nothing after that day', () => {
  const pastJourney = getJourneyUntil(crossing, '2026-04-01')
  expect(pastJourney.beads.map(({ title }) => title)).toEqual(['Dust to the elbows'])
  expect(
    pastJourney.paths.flatMap(({ waypoints }) =>
      waypoints.map(({ title, doneAt, momentIds }) => [title, doneAt !== null, momentIds]),
    ),
  ).toEqual([
    ['The keel is scraped', true, ['demo-moment-keel']],
    ['Back in the water', false, []],
    ['The outer island', false, []],
    ['Ask him', false, []],
    ['Have it valued', false, []],
  ])
  expect(pastJourney._count).toEqual({ Path: 3, Waypoint: 4, WaypointDone: 1, Moment: 1 })
})

it('a journey as of a day includes that day, and everything without a day', () => {
  expect(getJourneyUntil(crossing, '2026-04-19').beads).toHaveLength(2)
  expect(getJourneyUntil(crossing, '2026-04-18').beads).toHaveLength(1)
  expect(getJourneyUntil(crossing, null)).toBe(crossing)
  expect(filterUntil(crossing.beads, null)).toHaveLength(3)
})

it('a completed journey was active before, and planned before its start', () => {
  expect(getJourneyUntil(completed, '2026-05-01')).toMatchObject({ status: 'active', completedAt: null })
  expect(getJourneyUntil(completed, '2026-02-01')).toMatchObject({ status: 'planned', completedAt: null })
  expect(getJourneyUntil(completed, '2026-06-02')).toMatchObject({ status: 'completed' })
})

it('a timeline runs from the start to today with a stop per eventful day', () => {
  const timeline = createTimeline(crossing, '2026-06-01')
  expect(timeline).toMatchObject({ firstDay: '2026-03-01', lastDay: '2026-06-01', length: 92 })
  expect(
    timeline.stops.map(({ day, position, momentCount, reachedTitles }) => [day, position, momentCount, reachedTitles]),
  ).toEqual([
    ['2026-03-01', 0, 0, []],
    ['2026-03-08', 7, 1, ['The keel is scraped']],
    ['2026-04-19', 49, 1, ['Back in the water']],
    ['2026-05-03', 63, 1, []],
  ])
  expect(formatProgressAt(timeline, 7)).toBe('1 of 3 moments, 1 of 4 waypoints reached')
  expect([7, 63, 92].map((position) => getNextStop(timeline, position))).toEqual([49, 92, undefined])
  expect([49, 0].map((position) => getPreviousStop(timeline, position))).toEqual([7, 0])
})

it('the progress leaves out waypoints of paths not taken', () => {
  const paths = crossing.paths.map((path) => ({ ...path, state: 'not_taken' as const }))
  const timeline = createTimeline({ ...crossing, paths }, '2026-06-01')
  expect(formatProgressAt(timeline, 92)).toBe('3 of 3 moments')
  expect(timeline.stops.map(({ day }) => day)).toContain('2026-03-08')
})

it('a timeline ends with completion or the last event, after at least one day', () => {
  expect(createTimeline(completed, '2027-01-01').lastDay).toBe('2026-06-01')
  expect(createTimeline({ ...completed, completedAt: '2026-04-01T12:00:00.000Z' }, '2027-01-01').lastDay).toBe(
    '2026-05-03',
  )
  const emptyJourney = { ...crossing, beads: [], paths: [], startedOn: '2026-06-01' }
  const timeline = createTimeline(emptyJourney, '2026-06-01')
  expect(timeline).toEqual({
    firstDay: '2026-06-01',
    lastDay: '2026-06-01',
    length: 0,
    stops: [{ day: '2026-06-01', position: 0, momentCount: 0, reachedTitles: [] }],
    waypointCount: 0,
  })
  expect(formatProgressAt(timeline, 0)).toBe('0 of 0 moments')
})

it('the selection stays at the end or at its day when the timeline grows', () => {
  const timeline = createTimeline(crossing, '2026-06-01')
  const [firstPoint] = crossing.beads
  const earlyPoints = firstPoint ? [{ ...firstPoint, id: 'early', localDate: '2026-02-01' }] : []
  const longerTimeline = createTimeline({ ...crossing, beads: [...earlyPoints, ...crossing.beads] }, '2026-06-02')
  expect(getDayAt(timeline, timeline.length)).toBeNull()
  expect(toPosition(longerTimeline, null)).toBe(longerTimeline.length)
  expect(getDayAt(timeline, 7)).toBe('2026-03-08')
  expect(toPosition(longerTimeline, '2026-03-08')).toBe(35)
  const outside = ['2025-01-01', '2027-01-01', '2026-99-99']
  expect(outside.map((day) => toPosition(timeline, day))).toEqual([0, 92, 0])
})
