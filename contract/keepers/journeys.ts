import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import {
  aiVisible,
  clientId,
  day,
  entryParams,
  id,
  keeperParams,
  nothing,
  pagedQuery,
  sameKeeper,
  writtenFields,
} from './keeper-words.ts'

export const journeyStatuses = ['planned', 'active', 'paused', 'completed'] as const
export type JourneyStatus = (typeof journeyStatuses)[number]
export const pathStates = ['taken', 'open', 'not_taken'] as const
export type PathState = (typeof pathStates)[number]
/** Names of pigments (design.md §6). */
export const pigments = ['iron-gall', 'ochre', 'verdigris', 'madder', 'mauve'] as const
export type Pigment = (typeof pigments)[number]

export const waypoint = z.object({
  id: z.string(),
  title: shownLine,
  note: z.string(),
  dueOn: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  momentIds: z.array(z.string()),
})
export type Waypoint = z.infer<typeof waypoint>

export const path = z.object({
  ...writtenFields,
  journeyId: z.string(),
  title: shownLine,
  state: z.enum(pathStates),
  position: z.number(),
  waypoints: z.array(waypoint),
})
export type Path = z.infer<typeof path>

export const journey = z.object({
  ...writtenFields,
  title: shownLine,
  purpose: z.string(),
  status: z.enum(journeyStatuses),
  startedOn: z.nullable(z.string()),
  endsOn: z.nullable(z.string()),
  completedAt: z.nullable(z.string()),
  color: z.enum(pigments),
  aiVisible: z.boolean(),
  /** Waypoints are those of paths taken or open; moments those on the journey or on one of its waypoints. */
  _count: z.object({ Path: z.number(), Waypoint: z.number(), WaypointDone: z.number(), Moment: z.number() }),
})
export type Journey = z.infer<typeof journey>

/** Why a journey cannot end on this day, where it cannot. Days as 2026-11-20; empty or none is no day. */
export function refusalOfEnd(
  startedOn: string | null | undefined,
  endsOn: string | null | undefined,
): string | undefined {
  return startedOn && endsOn && endsOn < startedOn ? 'Choose a day that is not before the one it begins on.' : undefined
}

/** Of a moment on the road: enough to draw its bead. */
export const bead = z.object({
  id: z.string(),
  occurredAt: z.string(),
  localDate: z.string(),
  title: z.nullable(shownLine),
  excerpt: z.string(),
  /** The first of the waypoints it hangs on, in the order of the paths. */
  waypointId: z.nullable(z.string()),
  pinned: z.boolean(),
})
export type Bead = z.infer<typeof bead>

const title = oneLine({ max: 120, min: 1, message: 'Enter a title.' })
const purpose = z.string().check(z.trim(), z.maxLength(5000, 'Use at most 5,000 characters.'))
const journeyFields = {
  purpose: z.optional(purpose),
  status: z.optional(z.enum(journeyStatuses, 'Choose planned, active, paused or completed.')),
  startedOn: z.optional(z.nullable(day)),
  endsOn: z.optional(z.nullable(day)),
  color: z.optional(z.enum(pigments)),
  aiVisible,
}
const newWaypoint = z.object({
  /** An id of one of this path's waypoints keeps it; a new one, or none, makes it. */
  id: z.optional(clientId),
  title,
  note: z.optional(z.string().check(z.maxLength(5000))),
  dueOn: z.optional(z.nullable(day)),
  doneAt: z.optional(z.nullable(z.iso.datetime({ offset: true }).check(z.maxLength(40)))),
  momentIds: z.optional(z.array(id).check(z.maxLength(200))),
})
/** The whole list, in order; what is not in it is taken away. */
const waypoints = z.optional(z.array(newWaypoint).check(z.maxLength(200, 'Use at most 200 waypoints.')))

export const journeys = {
  list: endpoint('GET /api/keeper/keepers/:id/journeys', {
    summary: 'Journeys: active, then planned, paused and completed, the newest first; 1,000 at once',
    access: 'person',
    params: keeperParams,
    query: pagedQuery,
    returns: z.array(journey),
  }),
  show: endpoint('GET /api/keeper/journeys/:id', {
    summary:
      'One journey with its paths, waypoints and its newest 1,000 beads, oldest first; a cursor leads to those before',
    access: 'person',
    params: entryParams,
    query: pagedQuery,
    returns: z.extend(journey, {
      paths: z.array(path),
      /** Leads to the paths behind these, in their own list. */
      paths_cursor: z.nullable(z.string()),
      beads: z.array(bead),
    }),
  }),
  create: endpoint('POST /api/keeper/keepers/:id/journeys', {
    summary: 'Begin a journey; it starts with one path, taken',
    access: 'person',
    params: keeperParams,
    body: z.object({ id: z.optional(clientId), ...sameKeeper, title, ...journeyFields }),
    returns: journey,
    creates: true,
  }),
  update: endpoint('PUT /api/keeper/journeys/:id', {
    summary: 'Change a journey',
    access: 'person',
    params: entryParams,
    body: z.object({ title: z.optional(title), ...journeyFields }),
    returns: journey,
  }),
  remove: endpoint('DELETE /api/keeper/journeys/:id', {
    summary: 'Put a journey with its paths into the bin; its moments stay',
    access: 'person',
    params: entryParams,
    returns: nothing,
  }),
  complete: endpoint('POST /api/keeper/journeys/:id/complete', {
    summary: 'Complete a journey; with `reflect` a closing reflection is begun, from its waypoints',
    access: 'person',
    params: entryParams,
    body: z.object({ reflect: z.optional(z.boolean('Say true or false.')) }),
    returns: z.object({ journey, reflectionId: z.nullable(z.string()) }),
  }),
  story: endpoint('GET /api/keeper/journeys/:id/story', {
    summary: 'The journey as one text: taken paths in order, what is open, and what was not taken',
    access: 'person',
    params: entryParams,
    query: z.object({ format: z.enum(['md', 'html'], 'Say md or html.') }),
    returns: z.unknown(),
  }),
  createPath: endpoint('POST /api/keeper/journeys/:id/paths', {
    summary: 'Add a path to a journey',
    access: 'person',
    params: entryParams,
    body: z.object({ id: z.optional(clientId), title, state: z.optional(z.enum(pathStates)), waypoints }),
    returns: path,
    creates: true,
  }),
  paths: endpoint('GET /api/keeper/journeys/:id/paths', {
    summary: 'The paths of a journey, in order; 1,000 at once',
    access: 'person',
    params: entryParams,
    query: pagedQuery,
    returns: z.array(path),
  }),
  updatePath: endpoint('PUT /api/keeper/paths/:id', {
    summary: 'Change a path; the waypoints of one not taken stay as they are',
    access: 'person',
    params: entryParams,
    body: z.object({
      title: z.optional(title),
      state: z.optional(z.enum(pathStates, 'Choose taken, open or not_taken.')),
      /** Its place among the paths of the journey, from 0; the others make room. */
      position: z.optional(z.int().check(z.minimum(0), z.maximum(10_000))),
      waypoints,
    }),
    returns: path,
  }),
  removePath: endpoint('DELETE /api/keeper/paths/:id', {
    summary: 'Put a path into the bin',
    access: 'person',
    params: entryParams,
    returns: nothing,
  }),
  completeWaypoint: endpoint('POST /api/keeper/paths/:id/waypoints/:waypointId/complete', {
    summary: 'Mark a waypoint done; `done: false` takes that back',
    access: 'person',
    params: z.object({ id, waypointId: id }),
    body: z.object({ done: z.optional(z.boolean('Say true or false.')) }),
    returns: path,
  }),
}
