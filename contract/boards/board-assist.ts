import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-words.ts'
import { frame } from './boards.ts'

export const mostProposals = 12

export const proposal = z.object({
  /** As it would stand on the board; asked for again it has the same id. */
  frame,
  /** One sentence; may be empty. */
  why: z.string(),
})
export type Proposal = z.infer<typeof proposal>

export const assistance = z.object({
  run_id: z.string(),
  mock_mode: z.boolean(),
  /** One or two sentences on the whole; may be empty. */
  summary: z.string(),
  /** Frames that would be added, placed beside what is there; none is on the board before a person accepts it. */
  proposals: z.array(proposal),
  /** How many more the agent named that no board can have, or that were too many. */
  left_out: z.number(),
})
export type Assistance = z.infer<typeof assistance>

export const boardAssist = {
  propose: endpoint('POST /api/boards/:id/assist', {
    summary: 'Ask the platform agent for frames that serve a purpose; nothing is placed',
    access: 'person',
    params: z.object({ id }),
    body: z.object({
      purpose: z
        .string()
        .check(
          z.trim(),
          z.minLength(3, 'Say what the board is for.'),
          z.maxLength(2000, 'Use at most 2,000 characters.'),
        ),
    }),
    returns: assistance,
    /** As a run; what it proposed is then asked for by its id. */
    streams: true,
  }),
  proposals: endpoint('GET /api/boards/:id/assist/:runId', {
    summary: 'What such a run proposed, beside what is on the board now; who began it asks',
    access: 'person',
    params: z.object({ id, runId: id }),
    returns: assistance,
  }),
}
