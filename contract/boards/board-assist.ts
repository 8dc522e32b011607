import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-words.ts'
import { frame } from './boards.ts'

export const assistance = z.object({
  run_id: z.string(),
  mock_mode: z.boolean(),
  /** One or two sentences on the whole. */
  summary: z.string(),
  /** Frames that would be added, placed beside what is there; none is on the board before a person accepts it. */
  proposals: z.array(z.object({ frame, why: z.string() })),
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
  }),
}
