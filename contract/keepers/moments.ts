import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import {
  aiVisible,
  clientId,
  cursorQuery,
  day,
  entryParams,
  id,
  instant,
  keeperParams,
  longestSearch,
  nothing,
  sameKeeper,
  timeZone,
  topicName,
  writtenFields,
} from './keeper-words.ts'
import { media } from './media.ts'
import { reflection } from './reflections.ts'

export const place = z.object({
  name: oneLine({ max: 200, min: 1, message: 'Name the place.' }),
  lat: z.optional(z.nullable(z.number().check(z.minimum(-90), z.maximum(90)))),
  lng: z.optional(z.nullable(z.number().check(z.minimum(-180), z.maximum(180)))),
})
export const weather = z.object({
  tempC: z.nullable(z.number()),
  condition: z.nullable(oneLine({ max: 80 })),
  source: oneLine({ max: 40 }),
})
/** −2 (low) to 2 (high), with a word of one's own. */
export const mood = z.object({
  score: z.int('Choose −2 to 2.').check(z.minimum(-2), z.maximum(2)),
  label: z.optional(z.nullable(oneLine({ max: 40 }))),
})

export const moment = z.object({
  ...writtenFields,
  occurredAt: z.string(),
  /** The day it was lived on, there and then; travelling never moves it. */
  localDate: z.string(),
  timezone: z.string(),
  title: z.nullable(shownLine),
  body: z.string(),
  mood: z.nullable(z.object({ score: z.number(), label: z.nullable(shownLine) })),
  place: z.nullable(z.object({ name: shownLine, lat: z.nullable(z.number()), lng: z.nullable(z.number()) })),
  weather: z.nullable(weather),
  topics: z.array(z.object({ id: z.string(), name: shownLine, color: z.string() })),
  media: z.array(media),
  journeyId: z.nullable(z.string()),
  /** Kept: the ribbon. */
  pinned: z.boolean(),
  aiVisible: z.boolean(),
  promptId: z.nullable(z.string()),
})
export type Moment = z.infer<typeof moment>

/** Where moments were lived. What lies within some 100 metres is one place; without coordinates, what has one name. */
export const momentPlaces = z.object({
  places: z.array(
    z.object({
      /** For the `spot` of `moments.list`. */
      spot: z.string(),
      name: shownLine,
      /** `null`, both, where it is only a name. */
      lat: z.nullable(z.number()),
      lng: z.nullable(z.number()),
      moments: z.number(),
      /** The days of the first and the last visit, as 2026-11-20. */
      first: z.string(),
      last: z.string(),
    }),
  ),
  /** No place is left out. */
  isWhole: z.boolean(),
})
export type MomentPlaces = z.infer<typeof momentPlaces>

/** A moment may hold words, pictures, or both; the server refuses one that holds neither. */
const body = z.string().check(z.maxLength(200_000, 'Use at most 200,000 characters.'))
const fields = {
  title: z.optional(z.nullable(oneLine({ max: 200 }))),
  mood: z.optional(z.nullable(mood)),
  place: z.optional(z.nullable(place)),
  weather: z.optional(z.nullable(weather)),
  topics: z.optional(z.array(topicName).check(z.maxLength(30, 'Use at most 30 topics.'))),
  /** In their order; uploaded before (`media.upload`). */
  mediaIds: z.optional(z.array(id).check(z.maxLength(50, 'Add at most 50 files.'))),
  journeyId: z.optional(z.nullable(id)),
  pinned: z.optional(z.boolean('Say true or false.')),
  aiVisible,
}

export const moments = {
  list: endpoint('GET /api/keeper/keepers/:id/moments', {
    summary: 'Moments, newest first by when they were lived',
    access: 'person',
    params: keeperParams,
    query: z.object({
      ...cursorQuery,
      from: z.optional(day),
      /** Included. */
      to: z.optional(day),
      q: z.optional(z.string().check(z.trim(), z.maxLength(longestSearch))),
      /** A topic's id or name. */
      topic: z.optional(z.string().check(z.maxLength(80))),
      journeyId: z.optional(id),
      mood: z.optional(z.coerce.number().check(z.int(), z.minimum(-2), z.maximum(2))),
      /** A place, as `moments.places` names it. */
      spot: z.optional(z.string().check(z.maxLength(240))),
      /** Only those with pictures or sound. */
      withMedia: z.optional(z.enum(['true'])),
    }),
    returns: z.object({ items: z.array(moment), next_cursor: z.nullable(z.string()) }),
  }),
  calendar: endpoint('GET /api/keeper/keepers/:id/moments/calendar', {
    summary: 'Days with moments: how many, and the mean mood; at most 400 days',
    access: 'person',
    params: keeperParams,
    query: z.object({ from: day, to: day }),
    returns: z.array(z.object({ date: z.string(), count: z.number(), mood: z.nullable(z.number()) })),
  }),
  places: endpoint('GET /api/keeper/keepers/:id/moments/places', {
    summary: 'Where moments were lived, in the order of the first visit; of more than 1,000 places the latest',
    access: 'person',
    params: keeperParams,
    returns: momentPlaces,
  }),
  onThisDay: endpoint('GET /api/keeper/keepers/:id/moments/on-this-day', {
    summary:
      'Moments of this day in earlier years, oldest first, at most 100; those of Feb 29 come on Feb 28 where there is none',
    access: 'person',
    params: keeperParams,
    query: z.object({ date: day }),
    returns: z.array(moment),
  }),
  show: endpoint('GET /api/keeper/moments/:id', {
    summary: 'One moment',
    access: 'person',
    params: entryParams,
    returns: moment,
  }),
  create: endpoint('POST /api/keeper/keepers/:id/moments', {
    summary: 'Catch a moment',
    access: 'person',
    params: keeperParams,
    body: z.object({
      id: z.optional(clientId),
      ...sameKeeper,
      body,
      /** Now when left out; with a `localDate` alone, the present time of day on that day. */
      occurredAt: z.optional(instant),
      /** That of `occurredAt` in `timezone` when left out. From then on only a `localDate` changes it. */
      localDate: z.optional(day),
      /** UTC when left out. */
      timezone: z.optional(timeZone),
      promptId: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
      ...fields,
    }),
    returns: moment,
    creates: true,
  }),
  update: endpoint('PUT /api/keeper/moments/:id', {
    summary: 'Change a moment',
    access: 'person',
    params: entryParams,
    body: z.object({
      body: z.optional(body),
      occurredAt: z.optional(instant),
      localDate: z.optional(day),
      timezone: z.optional(timeZone),
      ...fields,
    }),
    returns: moment,
  }),
  remove: endpoint('DELETE /api/keeper/moments/:id', {
    summary: 'Put a moment into the bin',
    access: 'person',
    params: entryParams,
    returns: nothing,
  }),
  reflect: endpoint('POST /api/keeper/moments/:id/reflect', {
    summary: 'Begin a reflection about a moment: it is written down with the moment quoted, and linked',
    access: 'person',
    params: entryParams,
    returns: reflection,
  }),
}
