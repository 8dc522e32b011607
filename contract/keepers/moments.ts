import * as z from 'zod/mini'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import {
  aiVisible,
  clientId,
  cursorQuery,
  day,
  id,
  instant,
  keeperIdField,
  maxSearchLength,
  recordFields,
  timeZone,
  topicName,
} from './keeper-fields.ts'
import { media } from './media.ts'
import { reflection } from './reflections.ts'

export const place = z.object({
  name: oneLine({ max: 200, min: 1, message: 'Enter the name of the place.' }),
  lat: z.optional(z.nullable(z.number().check(z.minimum(-90), z.maximum(90)))),
  lng: z.optional(z.nullable(z.number().check(z.minimum(-180), z.maximum(180)))),
})
export const weather = z.object({
  tempC: z.nullable(z.number()),
  condition: z.nullable(oneLine({ max: 80 })),
  source: oneLine({ max: 40 }),
})
/** −2 (low) to 2 (high), with an optional word. */
export const mood = z.object({
  score: z.int('Choose a number from −2 to 2.').check(z.minimum(-2), z.maximum(2)),
  label: z.optional(z.nullable(oneLine({ max: 40 }))),
})

export const moment = z.object({
  ...recordFields,
  occurredAt: z.string(),
  /** Local day of the moment; never changes with the viewer's time zone. */
  localDate: z.string(),
  timezone: z.string(),
  title: z.nullable(displayLine),
  body: z.string(),
  mood: z.nullable(z.object({ score: z.number(), label: z.nullable(displayLine) })),
  place: z.nullable(z.object({ name: displayLine, lat: z.nullable(z.number()), lng: z.nullable(z.number()) })),
  weather: z.nullable(weather),
  topics: z.array(z.object({ id: z.string(), name: displayLine, color: z.string() })),
  media: z.array(media),
  journeyId: z.nullable(z.string()),
  pinned: z.boolean(),
  aiVisible: z.boolean(),
  promptId: z.nullable(z.string()),
})
export type Moment = z.infer<typeof moment>

/** Positions within about 100 m are one place; without coordinates, equal names are. */
export const momentPlaces = z.object({
  places: z.array(
    z.object({
      spot: z.string(),
      name: displayLine,
      lat: z.nullable(z.number()),
      lng: z.nullable(z.number()),
      moments: z.number(),
      first: z.string(),
      last: z.string(),
    }),
  ),
  isWhole: z.boolean(),
})
export type MomentPlaces = z.infer<typeof momentPlaces>

export const momentYear = z.object({ year: z.string(), count: z.number(), first: z.string() })
export type MomentYear = z.infer<typeof momentYear>

export const maxMomentBodyLength = 200_000
export const maxMomentTopics = 30
export const maxMomentFiles = 50
const body = z.string().check(z.maxLength(maxMomentBodyLength, 'Use at most 200,000 characters.'))
const fields = {
  title: z.optional(z.nullable(oneLine({ max: 200 }))),
  mood: z.optional(z.nullable(mood)),
  place: z.optional(z.nullable(place)),
  weather: z.optional(z.nullable(weather)),
  topics: z.optional(z.array(topicName).check(z.maxLength(maxMomentTopics, 'Use at most 30 topics.'))),
  mediaIds: z.optional(z.array(id).check(z.maxLength(maxMomentFiles, 'Add at most 50 files.'))),
  journeyId: z.optional(z.nullable(id)),
  pinned: z.optional(z.boolean('Use true or false.')),
  aiVisible,
}

export const moments = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/moments', {
    summary: 'List moments, newest first by local time',
    query: z.object({
      ...cursorQuery,
      from: z.optional(day),
      to: z.optional(day),
      q: z.optional(z.string().check(z.trim(), z.maxLength(maxSearchLength))),
      topic: z.optional(z.string().check(z.maxLength(80))),
      journeyId: z.optional(id),
      mood: z.optional(z.coerce.number().check(z.int(), z.minimum(-2), z.maximum(2))),
      spot: z.optional(z.string().check(z.maxLength(240))),
      withMedia: z.optional(z.enum(['true'])),
    }),
    response: z.object({ items: z.array(moment), next_cursor: z.nullable(z.string()) }),
  }),
  calendar: defineEntityEndpoint('GET /api/keeper/keepers/:id/moments/calendar', {
    summary: 'List days with the number of moments and the average mood; at most 400 days',
    query: z.object({ from: day, to: day }),
    response: z.array(z.object({ date: z.string(), count: z.number(), mood: z.nullable(z.number()) })),
  }),
  years: defineEntityEndpoint('GET /api/keeper/keepers/:id/moments/years', {
    summary:
      'List the years with moments, oldest first, with the number of moments and the first day of each; at most 10,000 years',
    response: z.array(momentYear),
  }),
  places: defineEntityEndpoint('GET /api/keeper/keepers/:id/moments/places', {
    summary: 'List the places of moments by first visit; the latest 1,000 at most',
    response: momentPlaces,
  }),
  onThisDay: defineEntityEndpoint('GET /api/keeper/keepers/:id/moments/on-this-day', {
    summary:
      'List moments from this day in earlier years, oldest first, at most 100; in other years, Feb 29 counts as Feb 28',
    query: z.object({ date: day }),
    response: z.array(moment),
  }),
  show: defineEntityEndpoint('GET /api/keeper/moments/:id', {
    summary: 'Get a moment',
    response: moment,
  }),
  create: defineEntityEndpoint('POST /api/keeper/keepers/:id/moments', {
    summary: 'Create a moment',
    scope: 'capture',
    body: z.object({
      id: z.optional(clientId),
      ...keeperIdField,
      body,
      /** Defaults to now; with only a `localDate`, the current time on that day. */
      occurredAt: z.optional(instant),
      /** Defaults to the day of `occurredAt` in `timezone`. Later, only a `localDate` changes it. */
      localDate: z.optional(day),
      timezone: z.optional(timeZone),
      promptId: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
      ...fields,
    }),
    response: moment,
    supportsIdempotencyKey: true,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/moments/:id', {
    summary: 'Update a moment',
    body: z.object({
      body: z.optional(body),
      occurredAt: z.optional(instant),
      localDate: z.optional(day),
      timezone: z.optional(timeZone),
      ...fields,
    }),
    response: moment,
  }),
  remove: defineRemoval('DELETE /api/keeper/moments/:id', 'Move a moment to the trash'),
  reflect: defineEntityEndpoint('POST /api/keeper/moments/:id/reflect', {
    summary: 'Start a reflection about a moment; it quotes and links the moment',
    response: reflection,
  }),
}
