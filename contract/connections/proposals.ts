import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { day, id, topicName } from '../keepers/keeper-fields.ts'
import { memoryConsent } from '../keepers/memory-checks.ts'
import { displayLine, oneLine } from '../one-line-text.ts'

export const proposalKinds = ['memory', 'moment', 'reflection'] as const
export type ProposalKind = (typeof proposalKinds)[number]

export const maxProposalLength = 20_000
export const maxWaitingProposals = 500

const content = z.string().check(z.trim(), z.minLength(1, 'Enter a text.'), z.maxLength(maxProposalLength))

export const proposal = z.object({
  id: z.string(),
  rev: z.number(),
  keeperId: z.string(),
  keeperTitle: displayLine,
  kind: z.enum(proposalKinds),
  content: z.string(),
  topic: z.nullable(displayLine),
  /** Local day of a moment. */
  occurredOn: z.nullable(z.string()),
  createdAt: z.string(),
  /** The programs and agents that proposed it, in order, each with its own text; at most 20. */
  senders: z.array(
    z.object({
      connectionId: z.nullable(z.string()),
      name: displayLine,
      content: z.string(),
      /** The person's own words, as the sender quotes them. */
      quote: z.nullable(z.string()),
      at: z.string(),
    }),
  ),
})
export type Proposal = z.infer<typeof proposal>

export const proposals = {
  list: defineEndpoint('GET /api/proposals', {
    summary: 'List what programs propose and you haven’t decided on, oldest first; at most 100',
    access: 'person',
    response: z.object({ items: z.array(proposal), total: z.number() }),
  }),
  count: defineEndpoint('GET /api/proposals/count', {
    summary: 'Count the proposals that wait for you',
    access: 'person',
    response: z.object({ total: z.number() }),
  }),
  approve: defineEndpoint('POST /api/proposals/:id/approve', {
    summary:
      'Approve a proposal, with your changes: it becomes a memory card, a moment or a reflection. 409 `answers-changed` if answers to golden questions change, until `goldenCheck` confirms it',
    access: 'person',
    params: z.object({ id }),
    body: z.object({
      content: z.optional(content),
      topic: z.optional(z.nullable(topicName)),
      occurredOn: z.optional(day),
      goldenCheck: memoryConsent,
    }),
    response: z.object({ entryId: z.string() }),
  }),
  reject: defineEndpoint('POST /api/proposals/:id/reject', {
    summary: 'Reject a proposal; a program that proposes the same again is told the reason',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ reason: z.optional(oneLine({ max: 300 })) }),
    response: z.object({}),
  }),
}
