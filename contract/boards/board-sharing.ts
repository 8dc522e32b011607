import * as z from 'zod/mini'
import type { MemberRole } from '../domains/domains.ts'
import { defineEndpoint } from '../endpoint.ts'
import { clientId, emptyResponse, id } from '../keepers/keeper-fields.ts'
import { maxSmallVersionBytes, mediaSize, smallVersionTypes } from '../keepers/small-version.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { board } from './boards.ts'

/** Without SVG and HTML, which can carry scripts. */
export const boardPictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export const boardPictureChoices = 'a JPEG, PNG, WebP or GIF picture'
export const maxBoardPictureBytes = 20 * 1024 * 1024
export const boardPictureQuota = 200 * 1024 * 1024

export const memberRights = ['none', 'view', 'edit'] as const
export type MemberRight = (typeof memberRights)[number]

const memberRight = z.enum(memberRights)
const roleRights = z.object({
  admin: memberRight,
  user: memberRight,
  friend: memberRight,
  connection: memberRight,
} satisfies Record<MemberRole, typeof memberRight>)
export type RoleRights = z.infer<typeof roleRights>

export const boardShareInfo = z.object({
  domainId: z.string(),
  domainName: displayLine,
  rights: roleRights,
  people: z.number(),
  sharedAt: z.string(),
})
export type BoardShareInfo = z.infer<typeof boardShareInfo>

export const boardLink = z.object({ link: z.string(), madeAt: z.string(), openedAt: z.nullable(z.string()) })
export type BoardLink = z.infer<typeof boardLink>

export const boardPicture = z.object({
  id: z.string(),
  mime: z.string(),
  bytes: z.number(),
  name: z.nullable(displayLine),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
})
export type BoardPicture = z.infer<typeof boardPicture>

/** A board without IDs of people, domains, entities or chats, for visitors with a link. */
export const linkedBoard = z.omit(board, {
  domainId: true,
  entityId: true,
  may: true,
  owner: true,
  isShared: true,
  rev: true,
})
export type LinkedBoard = z.infer<typeof linkedBoard>

const boardParams = z.object({ id })
const domainBoardParams = z.object({ id, domainId: id })
const token = z.string().check(z.maxLength(200))
const pixels = z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)))

export const boardSharing = {
  shares: defineEndpoint('GET /api/boards/:id/shares', {
    summary: 'List the domains a board is shared with, and its link; for its owner',
    access: 'person',
    params: boardParams,
    response: z.object({ domains: z.array(boardShareInfo), link: z.nullable(boardLink) }),
  }),
  share: defineEndpoint('PUT /api/boards/:id/shares/:domainId', {
    summary: 'Let members of a domain view or edit a board, by role',
    access: 'person',
    params: domainBoardParams,
    body: z.object({ rights: roleRights }),
    response: boardShareInfo,
  }),
  unshare: defineEndpoint('DELETE /api/boards/:id/shares/:domainId', {
    summary: 'Unshare a board from a domain; for its owner and people who manage members',
    access: 'person',
    params: domainBoardParams,
    response: emptyResponse,
  }),
  makeLink: defineEndpoint('POST /api/boards/:id/link', {
    summary: 'Create a new link for viewing without an account; the old link no longer works',
    access: 'person',
    params: boardParams,
    response: boardLink,
  }),
  removeLink: defineEndpoint('DELETE /api/boards/:id/link', {
    summary: 'Revoke the link, effective from the next request',
    access: 'person',
    params: boardParams,
    response: emptyResponse,
  }),
  // The token is in the body, because addresses are logged and shared.
  openLinked: defineEndpoint('POST /api/board-links/open', {
    summary: 'View a board by its link',
    access: 'public',
    body: z.object({ token }),
    response: linkedBoard,
  }),
  linkedPicture: defineEndpoint('POST /api/board-links/picture', {
    summary: 'Get the bytes of a picture on a board by its link',
    access: 'public',
    body: z.object({ token, pictureId: id, size: mediaSize }),
    response: z.unknown(),
  }),
  upload: defineEndpoint('POST /api/boards/:id/pictures', {
    summary: 'Upload a picture to a board as the request body',
    access: 'person',
    params: boardParams,
    query: z.object({
      id: z.optional(clientId),
      name: z.optional(oneLine({ max: 255 })),
      width: pixels,
      height: pixels,
    }),
    upload: { contentTypes: boardPictureTypes },
    maxBodyBytes: maxBoardPictureBytes,
    response: boardPicture,
  }),
  picture: defineEndpoint('GET /api/boards/:id/pictures/:pictureId', {
    summary: 'Get the bytes of a picture on a board',
    access: 'person',
    params: z.object({ id, pictureId: id }),
    query: z.object({ size: mediaSize }),
    response: z.unknown(),
  }),
  setSmallPicture: defineEndpoint('PUT /api/boards/:id/pictures/:pictureId/small', {
    summary: 'Set the small version of a picture on a board, created by the browser, as the request body',
    access: 'person',
    params: z.object({ id, pictureId: id }),
    upload: { contentTypes: smallVersionTypes },
    maxBodyBytes: maxSmallVersionBytes,
    response: emptyResponse,
  }),
}
