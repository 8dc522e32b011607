import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'

/** What asks for its person, in one keeper; nothing of what is written there but its title. */
const waitingInKeeper = z.object({
  keeperId: z.string(),
  title: shownLine,
  echoesReady: z.number(),
  /** When the SOLE draft that waits was submitted; `null`: none does. */
  draftSubmittedAt: z.nullable(z.string()),
  /** Reflections suggested for promotion. */
  suggestions: z.number(),
})
export type WaitingInKeeper = z.infer<typeof waitingInKeeper>

const allThatWaits = z.object({
  /** In the order of the shelf; only those in which something waits, at most 100. */
  keepers: z.array(waitingInKeeper),
  /** How many keepers beyond these. */
  moreKeepers: z.number(),
  /** Drafts of other people's keepers that one may decide on, the longest waiting first, at most 20. */
  toReview: z.array(z.object({ keeperId: z.string(), title: shownLine, ownerName: z.nullable(shownLine) })),
})
export type Waiting = z.infer<typeof allThatWaits>

export const waiting = {
  show: endpoint('GET /api/keeper/waiting', {
    summary:
      'What waits for one in all of one’s keepers: ready echoes, drafts to review, reflections to keep or let rest',
    access: 'person',
    returns: allThatWaits,
  }),
}
