import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { journey, journeyPoint, path } from '../keepers/journeys.ts'
import { cursorQuery, emptyResponse, id, pagedQuery } from '../keepers/keeper-fields.ts'
import { logbookEntry } from '../keepers/logbook.ts'
import { media } from '../keepers/media.ts'
import { moment } from '../keepers/moments.ts'
import { mediaSize } from '../keepers/small-version.ts'
import { soleStatement } from '../keepers/sole-document.ts'
import { displayLine } from '../one-line-text.ts'
import { type MemberRole, memberRole, memberRoles } from './domains.ts'

/** Parts of a keeper that can be shared. Reflections, memory cards, voice and echoes always stay private. */
export const sharedParts = ['moments', 'journeys', 'logbook', 'sole'] as const
export type SharedPart = (typeof sharedParts)[number]
export const sharedPartNames: Record<SharedPart, string> = {
  moments: 'Moments',
  journeys: 'Journeys',
  logbook: 'Logbook',
  sole: 'SOLE',
}

export const roleGroupNames: Record<MemberRole, string> = {
  admin: 'Admins',
  user: 'Users',
  friend: 'Friends',
  connection: 'Connections',
}

export function formatRoles(sharedRoles: readonly MemberRole[]): string {
  const labels = memberRoles
    .filter((role) => sharedRoles.includes(role))
    .map((role) => roleGroupNames[role].toLowerCase())
  return labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : (labels[0] ?? '')
}

const roleSelection = z
  .array(memberRole)
  .check(z.minLength(1, 'Choose at least one role.'), z.maxLength(memberRoles.length))

const shareFields = { roles: z.array(z.enum(memberRoles)), sharedAt: z.string() }
const domainShareFields = { domainId: z.string(), domainName: displayLine, ...shareFields, readers: z.number() }

const keeperShareInfo = z.object({ ...domainShareFields, keeperId: z.string(), parts: z.array(z.enum(sharedParts)) })
export type KeeperShareInfo = z.infer<typeof keeperShareInfo>
const journeyShareInfo = z.object({ ...domainShareFields, journeyId: z.string() })
export type JourneyShareInfo = z.infer<typeof journeyShareInfo>

const sharedItemFields = {
  id: z.string(),
  title: displayLine,
  purpose: z.string(),
  owner: z.object({ id: z.string(), name: z.nullable(displayLine), isMe: z.boolean() }),
  ...shareFields,
}
export const sharedKeeper = z.object({
  ...sharedItemFields,
  theme: z.string(),
  parts: z.array(z.enum(sharedParts)),
  counts: z.object({
    moments: z.nullable(z.number()),
    journeys: z.nullable(z.number()),
    logbook: z.nullable(z.number()),
  }),
})
export type SharedKeeper = z.infer<typeof sharedKeeper>
export const sharedJourney = z.object({
  ...sharedItemFields,
  status: journey.shape.status,
  color: journey.shape.color,
  keeperId: z.nullable(z.string()),
})
export type SharedJourney = z.infer<typeof sharedJourney>

/** A moment without AI flags, prompt, revisions, coordinates and links. */
export const sharedMoment = z.extend(
  z.pick(moment, {
    id: true,
    occurredAt: true,
    localDate: true,
    timezone: true,
    title: true,
    body: true,
    mood: true,
    weather: true,
  }),
  {
    place: z.nullable(z.object({ name: displayLine })),
    topics: z.array(z.object({ name: displayLine })),
    media: z.array(z.omit(media, { sha256: true })),
  },
)
export type SharedMoment = z.infer<typeof sharedMoment>
export const sharedLogbookEntry = z.pick(logbookEntry, {
  id: true,
  entry: true,
  label: true,
  category: true,
  tags: true,
  occurredOn: true,
  pinned: true,
})
export type SharedLogbookEntry = z.infer<typeof sharedLogbookEntry>
/** Waypoints reference only moments the caller can read. */
export const sharedPath = z.pick(path, { id: true, title: true, state: true, position: true, waypoints: true })
export type SharedPath = z.infer<typeof sharedPath>
export const sharedJourneyPoint = z.omit(journeyPoint, { pinned: true })
export type SharedJourneyPoint = z.infer<typeof sharedJourneyPoint>

const domainParams = z.object({ id })
const domainKeeperParams = z.object({ id, keeperId: id })
const domainJourneyParams = z.object({ id, journeyId: id })

export const sharingInDomains = {
  list: defineEndpoint('GET /api/domains/:id/shared', {
    summary: 'List what members share in a domain, limited to what your role can read',
    access: 'person',
    params: domainParams,
    response: z.object({ keepers: z.array(sharedKeeper), journeys: z.array(sharedJourney) }),
  }),
  sharesOfKeeper: defineEndpoint('GET /api/keeper/keepers/:id/shares', {
    summary: 'List the domains your keeper or its journeys are shared with',
    access: 'person',
    params: domainParams,
    response: z.object({ keeper: z.array(keeperShareInfo), journeys: z.array(journeyShareInfo) }),
  }),
  shareKeeper: defineEndpoint('PUT /api/domains/:id/shared/keepers/:keeperId', {
    summary: 'Share parts of your keeper with the members of a domain, replacing the previous selection',
    access: 'person',
    params: domainKeeperParams,
    body: z.object({
      parts: z
        .array(z.enum(sharedParts))
        .check(z.minLength(1, 'Choose at least one part.'), z.maxLength(sharedParts.length)),
      roles: roleSelection,
    }),
    response: keeperShareInfo,
  }),
  unshareKeeper: defineEndpoint('DELETE /api/domains/:id/shared/keepers/:keeperId', {
    summary: 'Unshare a keeper, effective from the next request; for its owner and people who manage members',
    access: 'person',
    params: domainKeeperParams,
    response: emptyResponse,
  }),
  shareJourney: defineEndpoint('PUT /api/domains/:id/shared/journeys/:journeyId', {
    summary: 'Share one of your journeys, with its moments, with the members of a domain',
    access: 'person',
    params: domainJourneyParams,
    body: z.object({ roles: roleSelection }),
    response: journeyShareInfo,
  }),
  unshareJourney: defineEndpoint('DELETE /api/domains/:id/shared/journeys/:journeyId', {
    summary: 'Unshare a journey',
    access: 'person',
    params: domainJourneyParams,
    response: emptyResponse,
  }),
  keeper: defineEndpoint('GET /api/domains/:id/shared/keepers/:keeperId', {
    summary: 'Get a shared keeper, with the statements of its active SOLE if they are shared',
    access: 'person',
    params: domainKeeperParams,
    response: z.extend(sharedKeeper, {
      journeysOfIt: z.array(sharedJourney),
      /** Without sources, which can be private, and without replaced statements. */
      sole: z.nullable(z.array(z.pick(soleStatement, { id: true, text: true }))),
    }),
  }),
  moments: defineEndpoint('GET /api/domains/:id/shared/keepers/:keeperId/moments', {
    summary: 'List the moments of a shared keeper, newest first',
    access: 'person',
    params: domainKeeperParams,
    query: z.object(cursorQuery),
    response: z.object({ items: z.array(sharedMoment), next_cursor: z.nullable(z.string()) }),
  }),
  logbook: defineEndpoint('GET /api/domains/:id/shared/keepers/:keeperId/logbook', {
    summary: 'List the logbook of a shared keeper, newest first; 1,000 per page',
    access: 'person',
    params: domainKeeperParams,
    query: pagedQuery,
    response: z.array(sharedLogbookEntry),
  }),
  journey: defineEndpoint('GET /api/domains/:id/shared/journeys/:journeyId', {
    summary:
      'Get a journey shared on its own or with its keeper: paths, up to 1,000 points of its line (`beads`) and its moments, newest first',
    access: 'person',
    params: domainJourneyParams,
    query: z.object({ ...cursorQuery, pathsCursor: cursorQuery.cursor }),
    response: z.extend(sharedJourney, {
      paths: z.array(sharedPath),
      paths_cursor: z.nullable(z.string()),
      /** The points of its line, oldest first. */
      beads: z.array(sharedJourneyPoint),
      moments: z.array(sharedMoment),
      next_cursor: z.nullable(z.string()),
      beads_cursor: z.nullable(z.string()),
    }),
  }),
  media: defineEndpoint('GET /api/domains/:id/shared/media/:mediaId', {
    summary: 'Get the bytes of a picture or recording in a shared moment',
    access: 'person',
    params: z.object({ id, mediaId: id }),
    query: z.object({ size: mediaSize }),
    response: z.unknown(),
  }),
}
