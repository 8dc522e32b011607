import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { moved } from '#web/ui/moved.ts'

/** A change as a function of the list, so that it can be reapplied to a newer version. */
export type WaypointChange = (waypoints: readonly Waypoint[]) => Waypoint[]

export type WaypointWords = Pick<Waypoint, 'title' | 'note' | 'dueOn'>

export const withNew =
  (id: string, words: WaypointWords): WaypointChange =>
  (waypoints) => [...waypoints.filter((each) => each.id !== id), { id, ...words, doneAt: null, momentIds: [] }]

/** Re-adds a waypoint that was removed concurrently. */
export const withWords =
  (id: string, words: WaypointWords): WaypointChange =>
  (waypoints) =>
    waypoints.some((each) => each.id === id)
      ? waypoints.map((each) => (each.id === id ? { ...each, ...words } : each))
      : withNew(id, words)(waypoints)

/** Sets or clears the time; an existing time is never overwritten. */
export const reached =
  (id: string, doneAt: string | null): WaypointChange =>
  (waypoints) =>
    waypoints.map((each) => (each.id === id ? { ...each, doneAt: doneAt && (each.doneAt ?? doneAt) } : each))

export const without =
  (id: string): WaypointChange =>
  (waypoints) =>
    waypoints.filter((each) => each.id !== id)

export const movedBy =
  (id: string, by: -1 | 1): WaypointChange =>
  (waypoints) => {
    const at = waypoints.findIndex((each) => each.id === id)
    return moved(waypoints, at, at + by)
  }

/**
 * Restores an earlier list. Waypoints that still exist keep their current moments; removed ones get back the moments
 * that still exist.
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

/** The saves that move a moment between waypoints; attaches before detaching, so that the moment is never lost. */
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
