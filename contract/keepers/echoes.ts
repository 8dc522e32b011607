import * as z from 'zod/mini'
import { maxJsonLength } from '../bounds.ts'
import { endpoint } from '../endpoint.ts'
import {
  agentId,
  clientId,
  entryParams,
  id,
  instant,
  keeperParams,
  nothing,
  pagedQuery,
  sameKeeper,
  timeZone,
  topicName,
  writtenFields,
} from './keeper-words.ts'

export const echoStates = ['pending', 'ready', 'delivered'] as const
export type EchoState = (typeof echoStates)[number]

/**
 * What also makes an echo ready, beside its date. Keys that are not ours are kept and have no effect. Any one that is met is enough.
 */
export const triggerConditions = z.looseObject({
  /** This topic is said again, in a moment, reflection, card, voice or logbook entry. */
  topic: z.optional(topicName),
  /** This journey is completed. */
  journeyId: z.optional(id),
  /** So many days pass without a moment or a reflection. */
  silentDays: z.optional(z.int('Give a whole number of days from 1 to 3650.').check(z.minimum(1), z.maximum(3650))),
  /** Every year on this day, as 11-20: the next one from the day it is written. It begins in the echo's time zone. */
  anniversary: z.optional(z.string().check(z.regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'Give a day as 11-20.'))),
})
export type TriggerConditions = z.infer<typeof triggerConditions>
const newTriggerConditions = triggerConditions.check(maxJsonLength(100_000))

export const echo = z.object({
  ...writtenFields,
  agentId: z.string(),
  /** Empty while it is sealed. */
  message: z.string(),
  /** Its text is unreadable until it is delivered; only its writer knows it. */
  sealed: z.boolean(),
  triggerDate: z.nullable(z.string()),
  /** Where its day, and its day of the year, begin, such as Europe/Berlin; `null`: in UTC. */
  triggerTimezone: z.nullable(z.string()),
  triggerConditions: z.nullable(triggerConditions),
  state: z.enum(echoStates),
  delivered: z.boolean(),
  deliveredAt: z.nullable(z.string()),
  readyAt: z.nullable(z.string()),
  /** Which condition made it ready, in words. */
  readyBecause: z.nullable(z.string()),
})
export type Echo = z.infer<typeof echo>

const message = z
  .string()
  .check(z.trim(), z.minLength(1, 'Message is required'), z.maxLength(20_000, 'Use at most 20,000 characters.'))
/** A day (`2026-12-24`, its beginning in `triggerTimezone`, else in the echo's, else in UTC) or an instant. */
const triggerDate = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, local: true }).check(z.maxLength(40))],
  'Give a day as 2026-12-24, or a time.',
)

export const echoes = {
  list: endpoint('GET /api/keeper/keepers/:id/echoes', {
    summary: 'Echoes; ready ones first, then by their day, then the newest; 1,000 at once',
    access: 'person',
    params: keeperParams,
    query: pagedQuery,
    returns: z.array(echo),
  }),
  create: endpoint('POST /api/keeper/keepers/:id/echoes', {
    summary: 'Write an echo',
    access: 'person',
    params: keeperParams,
    body: z.object({
      id: z.optional(clientId),
      ...sameKeeper,
      /** When it was written, if it waited in a browser. */
      createdAt: z.optional(instant),
      message,
      agentId,
      sealed: z.optional(z.boolean('Say true or false.')),
      triggerDate: z.optional(z.nullable(triggerDate)),
      triggerConditions: z.optional(z.nullable(newTriggerConditions)),
      triggerTimezone: z.optional(timeZone),
    }),
    returns: echo,
    creates: true,
  }),
  update: endpoint('PUT /api/keeper/echoes/:id', {
    summary: 'Change an echo that is not delivered; of a sealed one the text can be replaced, not read',
    access: 'person',
    params: entryParams,
    body: z.object({
      message: z.optional(message),
      sealed: z.optional(z.boolean('Say true or false.')),
      triggerDate: z.optional(z.nullable(triggerDate)),
      triggerConditions: z.optional(z.nullable(newTriggerConditions)),
      triggerTimezone: z.optional(timeZone),
    }),
    returns: echo,
  }),
  deliver: endpoint('POST /api/keeper/echoes/:id/deliver', {
    summary: 'Mark a ready echo delivered; only a ready one can be',
    access: 'person',
    params: entryParams,
    returns: echo,
  }),
  remove: endpoint('DELETE /api/keeper/echoes/:id', {
    summary: 'Put an echo into the bin',
    access: 'person',
    params: entryParams,
    returns: nothing,
  }),
}
