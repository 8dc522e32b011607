import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import { aiVisible, clientId, day, id, keeperIdField, pagedQuery, recordFields } from './keeper-fields.ts'

export const journeyStatuses = ['planned', 'active', 'paused', 'completed'] as const
export type JourneyStatus = (typeof journeyStatuses)[number]
export const pathStates = ['taken', 'open', 'not_taken'] as const
export type PathState = (typeof pathStates)[number]
export const pigments = ['iron-gall', 'ochre', 'verdigris', 'madder', 'mauve'] as const
export type Pigment = (typeof pigments)[number]

export const waypoint = z.object({
  id: z.string(),
  title: displayLine,
  note: z.string(),
  dueOn: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  momentIds: z.array(z.string()),
})
export type Waypoint = z.infer<typeof waypoint>

export const path = z.object({
  ...recordFields,
  journeyId: z.string(),
  title: displayLine,
  state: z.enum(pathStates),
  position: z.number(),
  waypoints: z.array(waypoint),
})
export type Path = z.infer<typeof path>

export const journey = z.object({
  ...recordFields,
  title: displayLine,
  purpose: z.string(),
  status: z.enum(journeyStatuses),
  startedOn: z.nullable(z.string()),
  endsOn: z.nullable(z.string()),
  completedAt: z.nullable(z.string()),
  color: z.enum(pigments),
  aiVisible: z.boolean(),
  /** Counts waypoints of taken or open paths, and moments linked to the journey or its waypoints. */
  _count: z.object({ Path: z.number(), Waypoint: z.number(), WaypointDone: z.number(), Moment: z.number() }),
})
export type Journey = z.infer<typeof journey>

/** Validates the end of a journey; days as 2026-11-20. Returns a message or `undefined`. */
export function getJourneyEndProblem(
  startedOn: string | null | undefined,
  endsOn: string | null | undefined,
): string | undefined {
  return startedOn && endsOn && endsOn < startedOn ? 'Choose an end day on or after the start day.' : undefined
}

export const journeyPoint = z.object({
  id: z.string(),
  occurredAt: z.string(),
  localDate: z.string(),
  title: z.nullable(displayLine),
  excerpt: z.string(),
  waypointId: z.nullable(z.string()),
  pinned: z.boolean(),
})
export type JourneyPoint = z.infer<typeof journeyPoint>

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
const waypointInput = z.object({
  /** An existing ID keeps the waypoint; otherwise a new one is created. */
  id: z.optional(clientId),
  title,
  note: z.optional(z.string().check(z.maxLength(5000))),
  dueOn: z.optional(z.nullable(day)),
  doneAt: z.optional(z.nullable(z.iso.datetime({ offset: true }).check(z.maxLength(40)))),
  momentIds: z.optional(z.array(id).check(z.maxLength(200))),
})
/** The whole list in order; missing waypoints are removed. */
const waypoints = z.optional(z.array(waypointInput).check(z.maxLength(200, 'Use at most 200 waypoints.')))

export const journeys = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/journeys', {
    summary: 'List journeys: active, planned, paused, then completed, newest first; 1,000 per page',
    query: pagedQuery,
    response: z.array(journey),
  }),
  show: defineEntityEndpoint('GET /api/keeper/journeys/:id', {
    summary:
      'Get a journey with its paths, waypoints and the newest 1,000 points of its line (`beads`), oldest first; a cursor leads to earlier ones',
    query: pagedQuery,
    response: z.extend(journey, {
      paths: z.array(path),
      paths_cursor: z.nullable(z.string()),
      /** The points of its line, oldest first. */
      beads: z.array(journeyPoint),
    }),
  }),
  create: defineEntityEndpoint('POST /api/keeper/keepers/:id/journeys', {
    summary: 'Create a journey with one taken path',
    body: z.object({ id: z.optional(clientId), ...keeperIdField, title, ...journeyFields }),
    response: journey,
    supportsIdempotencyKey: true,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/journeys/:id', {
    summary: 'Update a journey',
    body: z.object({ title: z.optional(title), ...journeyFields }),
    response: journey,
  }),
  remove: defineRemoval(
    'DELETE /api/keeper/journeys/:id',
    'Move a journey and its paths to the trash; its moments stay',
  ),
  complete: defineEntityEndpoint('POST /api/keeper/journeys/:id/complete', {
    summary: 'Complete a journey; `reflect` starts a closing reflection from its waypoints',
    body: z.object({ reflect: z.optional(z.boolean('Use true or false.')) }),
    response: z.object({ journey, reflectionId: z.nullable(z.string()) }),
  }),
  story: defineEntityEndpoint('GET /api/keeper/journeys/:id/story', {
    summary: 'Export a journey as one document: the taken paths in order, then those open or not taken',
    query: z.object({ format: z.enum(['md', 'html'], 'Use md or html.') }),
    response: z.unknown(),
  }),
  createPath: defineEntityEndpoint('POST /api/keeper/journeys/:id/paths', {
    summary: 'Add a path to a journey',
    body: z.object({ id: z.optional(clientId), title, state: z.optional(z.enum(pathStates)), waypoints }),
    response: path,
    supportsIdempotencyKey: true,
  }),
  paths: defineEntityEndpoint('GET /api/keeper/journeys/:id/paths', {
    summary: 'List the paths of a journey in order; 1,000 per page',
    query: pagedQuery,
    response: z.array(path),
  }),
  updatePath: defineEntityEndpoint('PUT /api/keeper/paths/:id', {
    summary: 'Update a path; waypoints of a path not taken stay the same',
    body: z.object({
      title: z.optional(title),
      state: z.optional(z.enum(pathStates, 'Choose taken, open or not_taken.')),
      position: z.optional(z.int().check(z.minimum(0), z.maximum(10_000))),
      waypoints,
    }),
    response: path,
  }),
  removePath: defineRemoval('DELETE /api/keeper/paths/:id', 'Move a path to the trash'),
  completeWaypoint: defineEndpoint('POST /api/keeper/paths/:id/waypoints/:waypointId/complete', {
    summary: 'Mark a waypoint as done, or with `done: false` as not done',
    access: 'person',
    params: z.object({ id, waypointId: id }),
    body: z.object({ done: z.optional(z.boolean('Use true or false.')) }),
    response: path,
  }),
}
