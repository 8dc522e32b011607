import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import { id, keeperParams } from './keeper-words.ts'

/** Limit of one approval, over all its agents. */
export const maxCheckedQuestions = 12
export const maxCheckedAgents = 3
/** An approval waits no longer for the answers. */
export const memoryCheckTimeoutMs = 15_000

export const checkedEntities = ['card', 'reflection', 'sole'] as const

/** A golden question that passes without the memory and fails with it. */
export const changedAnswer = z.object({
  agentId: z.string(),
  agentName: shownLine,
  questionId: z.string(),
  question: z.string(),
  expectation: z.string(),
  judgedBy: z.enum(['contains', 'judged']),
  /** Without the memory, and with it. */
  before: z.string(),
  after: z.string(),
  /** Why the answer with the memory does not pass. */
  reason: z.string(),
})
export type ChangedAnswer = z.infer<typeof changedAnswer>

export const memoryCheck = z.object({
  /** `null`: no agent that would be given the memory has golden questions. */
  id: z.nullable(z.string()),
  status: z.enum(['running', 'done']),
  total: z.number(),
  answered: z.number(),
  /** Questions without an answer that could be judged, once it is done: a provider failed, or time was up. */
  unasked: z.number(),
  agentNames: z.array(z.string()),
  changed: z.array(changedAnswer),
})
export type MemoryCheck = z.infer<typeof memoryCheck>

/** Sent with what approves a memory. Left out, the golden questions are asked before it is approved. */
export const memoryConsent = z.optional(
  z.object({
    /** The check whose answers were seen; it counts only for the memory as it was then. */
    checkId: z.optional(id),
    /** The second confirmation: approve although answers of that check changed. */
    approveAnyway: z.optional(z.boolean('Say true or false.')),
    /** Approve without asking. */
    skip: z.optional(z.boolean('Say true or false.')),
  }),
)
export type MemoryConsentGiven = NonNullable<z.infer<typeof memoryConsent>>

export const memoryChecks = {
  start: endpoint('POST /api/keeper/keepers/:id/memory-checks', {
    summary: 'Ask the golden questions of one’s agents that would be given a memory, with it; goes on by itself',
    access: 'person',
    params: keeperParams,
    body: z.object({
      entity: z.enum(checkedEntities),
      /** The id of the card or reflection. */
      entityId: z.optional(id),
      /** The statements of the draft that are to be approved; all, when left out. */
      statementIds: z.optional(z.array(id).check(z.maxLength(200))),
    }),
    returns: memoryCheck,
  }),
  show: endpoint('GET /api/keeper/memory-checks/:id', {
    summary: 'A memory check of one’s own, also while it is under way',
    access: 'person',
    params: z.object({ id }),
    returns: memoryCheck,
  }),
  stop: endpoint('POST /api/keeper/memory-checks/:id/stop', {
    summary: 'Stop a memory check; the answers so far are kept',
    access: 'person',
    params: z.object({ id }),
    returns: memoryCheck,
  }),
}
