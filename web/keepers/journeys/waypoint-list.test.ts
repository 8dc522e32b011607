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
const list = [createWaypoint('a', ['m1']), createWaypoint('b')]
const text = { title: 'New', note: 'n', dueOn: null }
const getIds = (waypoints: Waypoint[]) => waypoints.map(({ id }) => id)

describe('a change of waypoints', () => {
  it('adds a new waypoint last, and only once when repeated', () => {
    expect(getIds(addWaypoint('c', text)(addWaypoint('c', text)(list)))).toEqual(['a', 'b', 'c'])
  })

  it('gives a new waypoint the server’s fields, so a lost answer is recognized', () => {
    expect(Object.keys(addWaypoint('c', text)([])[0] ?? {})).toEqual(Object.keys(createWaypoint('c')))
  })

  it('keeps the first time a waypoint was reached, until that is undone', () => {
    const [first, second] = ['2026-03-08T12:00:00.000Z', '2026-04-19T12:00:00.000Z']
    const once = setReached('a', first)(list)
    expect(once.map(({ doneAt }) => doneAt)).toEqual([first, null])
    expect(setReached('a', second)(once)[0]?.doneAt).toBe(first)
    expect(setReached('a', null)(once)[0]?.doneAt).toBeNull()
  })

  it('restores a removed waypoint when its text is edited', () => {
    expect(updateWaypoint('a', text)(list)[0]).toMatchObject({ id: 'a', title: 'New', momentIds: ['m1'] })
    expect(updateWaypoint('gone', text)(list)[2]).toMatchObject({ id: 'gone', title: 'New' })
  })

  it('moves a waypoint up or down, but not past the ends', () => {
    expect(getIds(moveWaypointBy('b', -1)(list))).toEqual(['b', 'a'])
    expect(getIds(moveWaypointBy('b', 1)(list))).toEqual(['a', 'b'])
    expect(getIds(moveWaypointBy('gone', 1)(list))).toEqual(['a', 'b'])
    expect(getIds(deleteWaypoint('a')(list))).toEqual(['b'])
  })

  it('restores removed waypoints and leaves moments of the others unchanged', () => {
    const earlier = [createWaypoint('a', ['m9']), createWaypoint('gone', ['m2', 'deleted'])]
    expect(restoreWaypoints(earlier, list, (momentId) => momentId !== 'deleted')).toEqual([
      createWaypoint('a', ['m1']),
      createWaypoint('gone', ['m2']),
    ])
  })

  it('attaches a moment to a waypoint only once', () => {
    expect(attachMoment('a', 'm1')(list)[0]?.momentIds).toEqual(['m1'])
    expect(attachMoment('b', 'm1')(list)[1]?.momentIds).toEqual(['m1'])
  })
})

describe('a moment dragged', () => {
  const createPath = (id: string, state: Path['state'], waypoints: Waypoint[]) => ({ id, state, waypoints }) as Path
  const paths = [
    createPath('p', 'taken', list),
    createPath('q', 'open', [createWaypoint('c')]),
    createPath('r', 'not_taken', [createWaypoint('d', ['m2'])]),
  ]
  const planMoves = (momentId: string, to: string, from: string | null) =>
    planMomentMove(paths, momentId, to, from).map((move) => [
      move.path.id,
      move.change(move.path.waypoints).map(({ momentIds }) => momentIds.join('')),
    ])

  it('from the river is attached, and within one path needs one save', () => {
    expect(planMoves('m9', 'b', null)).toEqual([['p', ['m1', 'm9']]])
    expect(planMoves('m1', 'b', 'a')).toEqual([['p', ['', 'm1']]])
  })

  it('to another path is attached there first, and stays on a path not taken', () => {
    expect(planMoves('m1', 'c', 'a')).toEqual([
      ['q', ['m1']],
      ['p', ['', '']],
    ])
    expect(planMoves('m2', 'c', 'd')).toEqual([['q', ['m2']]])
  })

  it('to where it was saves nothing', () => {
    expect(planMoves('m1', 'a', 'a')).toEqual([])
  })
})
