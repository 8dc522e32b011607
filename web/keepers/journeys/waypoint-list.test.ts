import { describe, expect, it } from 'vitest'
import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import {
  addWaypoint,
  attachMoment,
  deleteWaypoint,
  moveWaypointBy,
  planMomentMove,
  restoreWaypoints,
  setReached,
  updateWaypoint,
} from './waypoint-list.ts'

const createWaypoint = (id: string, momentIds: string[] = []): Waypoint => ({
  id,
  title: id,
  note: '',
  dueOn: null,
  doneAt: null,
  momentIds,
})
const waypoints = [createWaypoint('a', ['m1']), createWaypoint('b')]
const text = { title: 'New', note: 'n', dueOn: null }
const getIds = (items: Waypoint[]) => items.map(({ id }) => id)

describe('a change of waypoints', () => {
  it('adds a new waypoint last, and only once when repeated', () => {
    expect(getIds(addWaypoint('c', text)(addWaypoint('c', text)(waypoints)))).toEqual(['a', 'b', 'c'])
  })

  it('gives a new waypoint the server’s fields, so a lost answer is recognized', () => {
    expect(Object.keys(addWaypoint('c', text)([])[0] ?? {})).toEqual(Object.keys(createWaypoint('c')))
  })

  it('keeps the first time a waypoint was reached, until that is undone', () => {
    const [first, second] = ['2026-03-08T12:00:00.000Z', '2026-04-19T12:00:00.000Z']
    const once = setReached('a', first)(waypoints)
    expect(once.map(({ doneAt }) => doneAt)).toEqual([first, null])
    expect(setReached('a', second)(once)[0]?.doneAt).toBe(first)
    expect(setReached('a', null)(once)[0]?.doneAt).toBeNull()
  })

  it('restores a removed waypoint when its text is edited', () => {
    expect(updateWaypoint('a', text)(waypoints)[0]).toMatchObject({ id: 'a', title: 'New', momentIds: ['m1'] })
    expect(updateWaypoint('gone', text)(waypoints)[2]).toMatchObject({ id: 'gone', title: 'New' })
  })

  it('moves a waypoint up or down, but not past the ends', () => {
    expect(getIds(moveWaypointBy('b', -1)(waypoints))).toEqual(['b', 'a'])
    expect(getIds(moveWaypointBy('b', 1)(waypoints))).toEqual(['a', 'b'])
    expect(getIds(moveWaypointBy('gone', 1)(waypoints))).toEqual(['a', 'b'])
    expect(getIds(deleteWaypoint('a')(waypoints))).toEqual(['b'])
  })

  it('restores removed waypoints and leaves moments of the others unchanged', () => {
    const earlier = [createWaypoint('a', ['m9']), createWaypoint('gone', ['m2', 'deleted'])]
    expect(restoreWaypoints(earlier, waypoints, (momentId) => momentId !== 'deleted')).toEqual([
      createWaypoint('a', ['m1']),
      createWaypoint('gone', ['m2']),
    ])
  })

  it('attaches a moment to a waypoint only once', () => {
    expect(attachMoment('a', 'm1')(waypoints)[0]?.momentIds).toEqual(['m1'])
    expect(attachMoment('b', 'm1')(waypoints)[1]?.momentIds).toEqual(['m1'])
  })
})

describe('a dragged moment', () => {
  const createPath = (id: string, state: Path['state'], pathWaypoints: Waypoint[]) =>
    ({ id, state, waypoints: pathWaypoints }) as Path
  const formatWaypoint = ({ id, momentIds }: Waypoint) => `${id} has ${momentIds.join(' and ') || 'none'}`
  const paths = [
    createPath('p', 'taken', waypoints),
    createPath('q', 'open', [createWaypoint('c')]),
    createPath('r', 'not_taken', [createWaypoint('d', ['m2'])]),
  ]
  const planMoves = (momentId: string, to: string, from: string | null) =>
    planMomentMove(paths, momentId, to, from).map(
      ({ path, change }) => `${path.id}: ${change(path.waypoints).map(formatWaypoint).join(', ')}`,
    )

  it('from the river is attached, and within one path needs one save', () => {
    expect(planMoves('m9', 'b', null)).toEqual(['p: a has m1, b has m9'])
    expect(planMoves('m1', 'b', 'a')).toEqual(['p: a has none, b has m1'])
  })

  it('to another path is attached there first, and stays on a path not taken', () => {
    expect(planMoves('m1', 'c', 'a')).toEqual(['q: c has m1', 'p: a has none, b has none'])
    expect(planMoves('m2', 'c', 'd')).toEqual(['q: c has m2'])
  })

  it('to where it was saves nothing', () => {
    expect(planMoves('m1', 'a', 'a')).toEqual([])
  })
})
