import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { moveItem } from '#web/ui/fields/use-reorder.ts'

/** A change as a function of the list, so that it can be reapplied to a newer version. */
export type WaypointChange = (waypoints: readonly Waypoint[]) => Waypoint[]

export type WaypointText = Pick<Waypoint, 'title' | 'note' | 'dueOn'>

export const addWaypoint =
  (id: string, text: WaypointText): WaypointChange =>
  (waypoints) => [...waypoints.filter((waypoint) => waypoint.id !== id), { id, ...text, doneAt: null, momentIds: [] }]

/** Re-adds a waypoint that was removed concurrently. */
export const updateWaypoint =
  (id: string, text: WaypointText): WaypointChange =>
  (waypoints) =>
    waypoints.some((waypoint) => waypoint.id === id)
      ? waypoints.map((waypoint) => (waypoint.id === id ? { ...waypoint, ...text } : waypoint))
      : addWaypoint(id, text)(waypoints)

/** Sets or clears the time; an existing time is never overwritten. */
export const setReached =
  (id: string, doneAt: string | null): WaypointChange =>
  (waypoints) =>
    waypoints.map((waypoint) =>
      waypoint.id === id ? { ...waypoint, doneAt: doneAt && (waypoint.doneAt ?? doneAt) } : waypoint,
    )

export const deleteWaypoint =
  (id: string): WaypointChange =>
  (waypoints) =>
    waypoints.filter((waypoint) => waypoint.id !== id)

export const moveWaypointBy =
  (id: string, offset: -1 | 1): WaypointChange =>
  (waypoints) => {
    const index = waypoints.findIndex((waypoint) => waypoint.id === id)
    return moveItem(waypoints, index, index + offset)
  }

/** Waypoints that still exist keep their current moments; removed ones get back the moments that still exist. */
export const restoreWaypoints = (
  earlierWaypoints: readonly Waypoint[],
  currentWaypoints: readonly Waypoint[],
  hasMoment: (momentId: string) => boolean,
) =>
  earlierWaypoints.map((waypoint): Waypoint => {
    const momentIds =
      currentWaypoints.find(({ id }) => id === waypoint.id)?.momentIds ??
      waypoint.momentIds.filter((momentId) => hasMoment(momentId))
    return { ...waypoint, momentIds }
  })

export const attachMoment =
  (waypointId: string, momentId: string): WaypointChange =>
  (waypoints) =>
    waypoints.map((waypoint) =>
      waypoint.id === waypointId && !waypoint.momentIds.includes(momentId)
        ? { ...waypoint, momentIds: [...waypoint.momentIds, momentId] }
        : waypoint,
    )

export const detachMoment =
  (waypointId: string, momentId: string): WaypointChange =>
  (waypoints) =>
    waypoints.map((waypoint) =>
      waypoint.id === waypointId
        ? { ...waypoint, momentIds: waypoint.momentIds.filter((id) => id !== momentId) }
        : waypoint,
    )

export interface MomentMoveStep {
  path: Path
  change: WaypointChange
}

/** The saves that move a moment between waypoints; attaches before detaching, so that the moment is never lost. */
export function planMomentMove(
  paths: readonly Path[],
  momentId: string,
  toWaypointId: string,
  fromWaypointId: string | null,
): MomentMoveStep[] {
  const findPath = (id: string | null) =>
    paths.find(({ waypoints }) => waypoints.some((waypoint) => waypoint.id === id))
  const [toPath, fromPath] = [findPath(toWaypointId), findPath(fromWaypointId)]
  if (!toPath || toWaypointId === fromWaypointId) return []
  const attach = attachMoment(toWaypointId, momentId)
  if (!fromPath || fromWaypointId === null || fromPath.state === 'not_taken') return [{ path: toPath, change: attach }]
  const detach = detachMoment(fromWaypointId, momentId)
  if (fromPath.id === toPath.id) return [{ path: toPath, change: (waypoints) => detach(attach(waypoints)) }]
  return [
    { path: toPath, change: attach },
    { path: fromPath, change: detach },
  ]
}
