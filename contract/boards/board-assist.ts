import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-fields.ts'
import { frame } from './boards.ts'

export const maxProposals = 12

export const proposal = z.object({
  /** The same run always returns the same IDs. */
  frame,
  why: z.string(),
})
export type Proposal = z.infer<typeof proposal>

export const assistance = z.object({
  run_id: z.string(),
  mock_mode: z.boolean(),
  summary: z.string(),
  proposals: z.array(proposal),
  left_out: z.number(),
})
export type Assistance = z.infer<typeof assistance>

export const boardAssist = {
  propose: defineEndpoint('POST /api/boards/:id/assist', {
    summary: 'Ask the platform agent to suggest frames for a purpose; nothing is added to the board',
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
    response: assistance,
    /** Streams as a run; `proposals` then returns the result by run ID. */
    canStream: true,
  }),
  proposals: defineEndpoint('GET /api/boards/:id/assist/:runId', {
    summary: 'Get the frames a run suggested for the current board; only for the person who started it',
    access: 'person',
    params: z.object({ id, runId: id }),
    response: assistance,
  }),
}
