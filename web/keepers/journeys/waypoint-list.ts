import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { moved } from '#web/ui/moved.ts'

/** Changes of a list of waypoints, as functions: said again on a newer list they mean the same. */
export type WaypointChange = (waypoints: readonly Waypoint[]) => Waypoint[]

export type WaypointWords = Pick<Waypoint, 'title' | 'note' | 'dueOn'>

export const withNew =
  (id: string, words: WaypointWords): WaypointChange =>
  (waypoints) => [...waypoints.filter((each) => each.id !== id), { id, ...words, doneAt: null, momentIds: [] }]

/** One that somebody removed meanwhile comes back with what was written. */
export const withWords =
  (id: string, words: WaypointWords): WaypointChange =>
  (waypoints) =>
    waypoints.some((each) => each.id === id)
      ? waypoints.map((each) => (each.id === id ? { ...each, ...words } : each))
      : withNew(id, words)(waypoints)

/** Reached at a time, or not after all; one that is reached already stays as it is. */
export const reached =
  (id: string, doneAt: string | null): WaypointChange =>
  (waypoints) =>
    waypoints.map((each) => (each.id === id ? { ...each, doneAt: doneAt && (each.doneAt ?? doneAt) } : each))

export const without =
  (id: string): WaypointChange =>
  (waypoints) =>
    waypoints.filter((each) => each.id !== id)

/** One place up (−1) or down (1); at the end it stays. */
export const movedBy =
  (id: string, by: -1 | 1): WaypointChange =>
  (waypoints) => {
    const at = waypoints.findIndex((each) => each.id === id)
    return moved(waypoints, at, at + by)
  }

/**
 * A list of before in the place of the one there is. What hangs on a waypoint stays as it is now; on one that was removed it is
 * what hung there, as far as it is still there.
 */
export const asItWas = (
  before: readonly Waypoint[],
  now: readonly Waypoint[],
  isThere: (momentId: string) => boolean,
) =>
  before.map((waypoint): Waypoint => {
    const momentIds =
      now.find(({ id }) => id === waypoint.id)?.momentIds ?? waypoint.momentIds.filter((each) => isThere(each))
    return { ...waypoint, momentIds }
  })

export const hung =
  (waypointId: string, momentId: string): WaypointChange =>
  (waypoints) =>
    waypoints.map((each) =>
      each.id === waypointId && !each.momentIds.includes(momentId)
        ? { ...each, momentIds: [...each.momentIds, momentId] }
        : each,
    )

export const unhung =
  (waypointId: string, momentId: string): WaypointChange =>
  (waypoints) =>
    waypoints.map((each) =>
      each.id === waypointId ? { ...each, momentIds: each.momentIds.filter((id) => id !== momentId) } : each,
    )

export interface Move {
  path: Path
  change: WaypointChange
}

/** What has to be saved so that a moment taken from one waypoint hangs on another: the new place first, so that it is never nowhere. */
export function moveOf(
  paths: readonly Path[],
  momentId: string,
  toWaypointId: string,
  fromWaypointId: string | null,
): Move[] {
  const pathOf = (id: string | null) => paths.find(({ waypoints }) => waypoints.some((each) => each.id === id))
  const [to, from] = [pathOf(toWaypointId), pathOf(fromWaypointId)]
  if (!to || toWaypointId === fromWaypointId) return []
  const arrive = hung(toWaypointId, momentId)
  if (!from || fromWaypointId === null || from.state === 'not_taken') return [{ path: to, change: arrive }]
  const leave = unhung(fromWaypointId, momentId)
  if (from.id === to.id) return [{ path: to, change: (waypoints) => leave(arrive(waypoints)) }]
  return [
    { path: to, change: arrive },
    { path: from, change: leave },
  ]
}
