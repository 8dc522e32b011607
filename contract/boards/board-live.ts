import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, nothing } from '../keepers/keeper-words.ts'
import { boardBodyLimit, boardConfig, newFrame } from './boards.ts'

/** Whoever was not heard of for so long is not there any more. */
export const presenceEndsMs = 15_000
/** How often a tab says that it is there when nothing moves. */
export const presenceBeatMs = 5000

const coordinate = z.number().check(z.minimum(-200_000), z.maximum(200_000))

/** What a tab says of itself. */
export const presence = z.object({
  /** Of this tab. */
  tab: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** Where the pointer is, in pixels of the canvas. */
  cursor: z.nullable(z.object({ x: coordinate, y: coordinate })),
  /** Ids of selected frames. */
  selection: z.array(id).check(z.maxLength(1000)),
  /** It leaves. */
  gone: z.optional(z.boolean()),
})

/** A change that is not saved yet: a frame as it is now (`null`: deleted), or the config. */
export const boardChange = z.object({
  frames: z.array(z.object({ id, frame: z.nullable(newFrame) })).check(z.maxLength(1000)),
  config: z.optional(boardConfig),
})
export type BoardChange = z.infer<typeof boardChange>

export const somebodyThere = z.object({
  tab: z.string(),
  personId: z.string(),
  name: z.nullable(z.string()),
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
    returns: nothing,
  }),
}
