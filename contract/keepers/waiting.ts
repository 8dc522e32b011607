import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'

const waitingInKeeper = z.object({
  keeperId: z.string(),
  title: displayLine,
  echoesReady: z.number(),
  draftSubmittedAt: z.nullable(z.string()),
  suggestions: z.number(),
})
export type WaitingInKeeper = z.infer<typeof waitingInKeeper>

const waitingSummary = z.object({
  /** In list order, at most 100, without keepers where nothing waits. */
  keepers: z.array(waitingInKeeper),
  moreKeepers: z.number(),
  /** Other people's drafts the caller can decide on, oldest first, at most 20. */
  toReview: z.array(z.object({ keeperId: z.string(), title: displayLine, ownerName: z.nullable(displayLine) })),
})
export type WaitingSummary = z.infer<typeof waitingSummary>

export const waiting = {
  show: defineEndpoint('GET /api/keeper/waiting', {
    summary:
      'List what is waiting for you in your keepers: ready echoes, drafts to review, reflections to keep or let rest',
    access: 'person',
    response: waitingSummary,
  }),
}
