import * as z from 'zod/mini'
import { maxJsonLength } from '../bounds.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import {
  agentId,
  clientId,
  id,
  instant,
  keeperIdField,
  pagedQuery,
  recordFields,
  timeZone,
  topicName,
} from './keeper-fields.ts'

export const echoStates = ['pending', 'ready', 'delivered'] as const
export type EchoState = (typeof echoStates)[number]

/** An echo becomes ready when its date comes or any one condition is met. Unknown keys are stored and ignored. */
export const triggerConditions = z.looseObject({
  topic: z.optional(topicName),
  journeyId: z.optional(id),
  silentDays: z.optional(z.int('Use a whole number of days from 1 to 3650.').check(z.minimum(1), z.maximum(3650))),
  /** Every year on this MM-DD in the echo's time zone, from its next occurrence. */
  anniversary: z.optional(
    z.string().check(z.regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'Use a day like 11-20.')),
  ),
})
export type TriggerConditions = z.infer<typeof triggerConditions>
const newTriggerConditions = triggerConditions.check(maxJsonLength(100_000))

export const echo = z.object({
  ...recordFields,
  agentId: z.string(),
  message: z.string(),
  /** The text can't be read before delivery. */
  sealed: z.boolean(),
  triggerDate: z.nullable(z.string()),
  /** Time zone of its dates, such as Europe/Berlin; `null`: UTC. */
  triggerTimezone: z.nullable(z.string()),
  triggerConditions: z.nullable(triggerConditions),
  state: z.enum(echoStates),
  delivered: z.boolean(),
  deliveredAt: z.nullable(z.string()),
  readyAt: z.nullable(z.string()),
  readyBecause: z.nullable(z.string()),
})
export type Echo = z.infer<typeof echo>

const message = z
  .string()
  .check(z.trim(), z.minLength(1, 'Message is required'), z.maxLength(20_000, 'Use at most 20,000 characters.'))
/** A day (from midnight in the echo's time zone) or an instant. */
const triggerDate = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, local: true }).check(z.maxLength(40))],
  'Use a day like 2026-12-24, or a time.',
)

const scheduleFields = {
  sealed: z.optional(z.boolean('Use true or false.')),
  triggerDate: z.optional(z.nullable(triggerDate)),
  triggerConditions: z.optional(z.nullable(newTriggerConditions)),
  triggerTimezone: z.optional(timeZone),
}

export const echoes = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/echoes', {
    summary: 'List echoes: ready ones first, then by date, then newest; 1,000 per page',
    query: pagedQuery,
    response: z.array(echo),
  }),
  create: defineEntityEndpoint('POST /api/keeper/keepers/:id/echoes', {
    summary: 'Write an echo',
    body: z.object({
      id: z.optional(clientId),
      ...keeperIdField,
      createdAt: z.optional(instant),
      message,
      agentId,
      ...scheduleFields,
    }),
    response: echo,
    supportsIdempotencyKey: true,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/echoes/:id', {
    summary: 'Update an undelivered echo; a sealed text can be replaced, but not read',
    body: z.object({ message: z.optional(message), ...scheduleFields }),
    response: echo,
  }),
  deliver: defineEntityEndpoint('POST /api/keeper/echoes/:id/deliver', {
    summary: 'Mark a ready echo as delivered',
    response: echo,
  }),
  remove: defineRemoval('DELETE /api/keeper/echoes/:id', 'Move an echo to the trash'),
}
