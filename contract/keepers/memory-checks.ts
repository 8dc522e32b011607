import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'
import { defineEntityEndpoint } from './entity-endpoint.ts'
import { id } from './keeper-fields.ts'

export const maxCheckedQuestions = 12
export const maxCheckedAgents = 3
export const memoryCheckTimeoutMs = 15_000

export const checkedEntities = ['card', 'reflection', 'sole'] as const

export const changedAnswer = z.object({
  agentId: z.string(),
  agentName: displayLine,
  questionId: z.string(),
  question: z.string(),
  expectation: z.string(),
  judgedBy: z.enum(['contains', 'judged']),
  before: z.string(),
  after: z.string(),
  reason: z.string(),
})
export type ChangedAnswer = z.infer<typeof changedAnswer>

export const memoryCheck = z.object({
  /** `null`: no affected agent has golden questions. */
  id: z.nullable(z.string()),
  status: z.enum(['running', 'done']),
  total: z.number(),
  /** Questions with an answer, even one that can't be judged. */
  answered: z.number(),
  /** Questions without an answer that can be judged, because a provider failed or time ran out; 0 while running. */
  unasked: z.number(),
  agentNames: z.array(z.string()),
  changed: z.array(changedAnswer),
})
export type MemoryCheck = z.infer<typeof memoryCheck>

/** Sent when approving a memory; if omitted, golden questions run first. */
export const memoryConsent = z.optional(
  z.object({
    checkId: z.optional(id),
    approveAnyway: z.optional(z.boolean('Use true or false.')),
    skip: z.optional(z.boolean('Use true or false.')),
  }),
)
export type MemoryConsentInput = NonNullable<z.infer<typeof memoryConsent>>

export const memoryChecks = {
  start: defineEntityEndpoint('POST /api/keeper/keepers/:id/memory-checks', {
    summary: 'Run the golden questions of your affected agents with a new memory, in the background',
    body: z.object({
      entity: z.enum(checkedEntities),
      entityId: z.optional(id),
      statementIds: z.optional(z.array(id).check(z.maxLength(200))),
    }),
    response: memoryCheck,
  }),
  show: defineEndpoint('GET /api/keeper/memory-checks/:id', {
    summary: 'Get one of your memory checks, even while it is running',
    access: 'person',
    params: z.object({ id }),
    response: memoryCheck,
  }),
  stop: defineEndpoint('POST /api/keeper/memory-checks/:id/stop', {
    summary: 'Stop a memory check; answers so far are kept',
    access: 'person',
    params: z.object({ id }),
    response: memoryCheck,
  }),
}
