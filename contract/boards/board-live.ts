import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { boardBodyKeys, boardBodyLimit, boardConfig, frameId, maxFrames, newFrame } from './boards.ts'

export const presenceTimeoutMs = 15_000
/** If a person has more tabs, the most recently active ones count. */
export const maxTabsPerPerson = 10
export const maxVisibleSelection = 200
export const presenceHeartbeatMs = 5000

const coordinate = z.number().check(z.minimum(-200_000), z.maximum(200_000))

export const presence = z.object({
  tab: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** Pointer position in canvas pixels. */
  cursor: z.nullable(z.object({ x: coordinate, y: coordinate })),
  /** IDs of selected frames; others receive the first {@link maxVisibleSelection}. */
  selection: z.array(frameId).check(z.maxLength(maxFrames)),
  gone: z.optional(z.boolean()),
})

const frameIds = z.array(frameId).check(z.maxLength(maxFrames))
/** An unsaved change. Only the differences are merged, so concurrent edits of one frame survive. */
export const boardChange = z.object({
  frames: z
    /** `null`: the frame didn’t exist, or no longer exists. */
    .array(z.object({ id: frameId, before: z.nullable(newFrame), after: z.nullable(newFrame) }))
    .check(z.maxLength(maxFrames)),
  /** `null`: unchanged, as for `order`. */
  config: z.nullable(z.object({ before: boardConfig, after: boardConfig })),
  order: z.nullable(z.object({ before: frameIds, after: frameIds })),
})
export type BoardChange = z.infer<typeof boardChange>

export const boardParticipant = z.object({
  tab: z.string(),
  personId: z.string(),
  name: z.nullable(displayLine),
  may: z.enum(['view', 'edit', 'owner']),
  cursor: z.nullable(z.object({ x: z.number(), y: z.number() })),
  selection: z.array(z.string()),
})
export type BoardParticipant = z.infer<typeof boardParticipant>

export const boardLive = {
  presence: defineEndpoint('POST /api/boards/:id/presence', {
    summary: 'Report your pointer and selection on a board, and get those of everyone on it',
    access: 'person',
    params: z.object({ id }),
    body: presence,
    response: z.array(boardParticipant),
  }),
  changes: defineEndpoint('POST /api/boards/:id/changes', {
    summary: 'Send an unsaved change to everyone on the board; nothing is stored',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ tab: presence.shape.tab, change: boardChange }),
    maxBodyBytes: boardBodyLimit,
    maxBodyKeys: boardBodyKeys,
    /** Order of changes; of two conflicting ones, the higher number wins. */
    response: z.object({ seq: z.number() }),
  }),
}
