import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-words.ts'
import { shownLine } from '../one-line-text.ts'
import { boardBodyKeys, boardBodyLimit, boardConfig, frameId, mostFrames, newFrame } from './boards.ts'

/** Whoever was not heard of for so long is not there any more. */
export const presenceEndsMs = 15_000
/** In so many tabs somebody may have one board open; of more, those that were heard of last count. */
export const mostTabsPerPerson = 10
/** Of what somebody has selected, so many frames are passed on to the others. */
export const mostSelectionShown = 200
/** How often a tab says that it is there when nothing moves. */
export const presenceBeatMs = 5000

const coordinate = z.number().check(z.minimum(-200_000), z.maximum(200_000))

/** What a tab says of itself. */
export const presence = z.object({
  /** Of this tab. */
  tab: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** Where the pointer is, in pixels of the canvas. */
  cursor: z.nullable(z.object({ x: coordinate, y: coordinate })),
  /** Ids of selected frames; the others are told of the first {@link mostSelectionShown}. */
  selection: z.array(frameId).check(z.maxLength(mostFrames)),
  /** It leaves. */
  gone: z.optional(z.boolean()),
})

const ids = z.array(frameId).check(z.maxLength(mostFrames))
/**
 * A change that is not saved yet, with what was before: only what differs between the two is taken over, so that who moves
 * a frame and who renames it both have their way. `null`: the frame was not there, or is there no more.
 */
export const boardChange = z.object({
  frames: z
    .array(z.object({ id: frameId, before: z.nullable(newFrame), after: z.nullable(newFrame) }))
    .check(z.maxLength(mostFrames)),
  config: z.nullable(z.object({ before: boardConfig, after: boardConfig })),
  order: z.nullable(z.object({ before: ids, after: ids })),
})
export type BoardChange = z.infer<typeof boardChange>

export const somebodyThere = z.object({
  tab: z.string(),
  personId: z.string(),
  name: z.nullable(shownLine),
  may: z.enum(['view', 'edit', 'owner']),
  cursor: z.nullable(z.object({ x: z.number(), y: z.number() })),
  selection: z.array(z.string()),
})
export type SomebodyThere = z.infer<typeof somebodyThere>

export const boardLive = {
  presence: endpoint('POST /api/boards/:id/presence', {
    summary: 'Say that one is on a board, where one points and what one has selected; answers who is there',
    access: 'person',
    params: z.object({ id }),
    body: presence,
    returns: z.array(somebodyThere),
  }),
  changes: endpoint('POST /api/boards/:id/changes', {
    summary: 'Pass a change that is not saved yet on to who is on the board; nothing is stored',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ tab: presence.shape.tab, change: boardChange }),
    bodyLimit: boardBodyLimit,
    bodyKeys: boardBodyKeys,
    /** Changes of a board are told in this order; of two that change the same, the one with the higher number stands. */
    returns: z.object({ seq: z.number() }),
  }),
}
