import * as z from 'zod/mini'
import { agent } from '../agents/agents.ts'
import { boundedRecord, maxJsonLength } from '../bounds.ts'
import { defineEndpoint } from '../endpoint.ts'
import { clientId, cursorQuery, emptyResponse, id, pagedQuery } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { boardEntities, engagementPatterns, frameCategories } from './frame-types.ts'

export const gridSpacing = 20
export const maxFrames = 1000
export const frameLimits = {
  minSize: { width: 120, height: 80 },
  maxSize: { width: 2000, height: 2000 },
  maxCoordinate: 100_000,
} as const
export const boardTypes = ['custom_board', ...boardEntities] as const
export type BoardType = (typeof boardTypes)[number]
export const boardLayouts = ['grid', 'column', 'row', 'wizard', 'focus', 'canvas'] as const
export type BoardLayout = (typeof boardLayouts)[number]
export const animationSeconds = { none: 0, fade: 0.3, slide: 0.4, scale: 0.3 } as const
export type BoardAnimation = keyof typeof animationSeconds

export const defaultBoardTheme = {
  primaryColor: '#334155',
  backgroundColor: '#E2E8F0',
  accentColor: '#0F172A',
  borderColor: '#CBD5E1',
} as const
export const fallbackBoardTheme = { ...defaultBoardTheme, primaryColor: '#3B82F6', backgroundColor: '#F8FAFC' } as const

const hexColor = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Use a color like #334155.'))
export const boardTheme = z.object({
  primaryColor: hexColor,
  backgroundColor: hexColor,
  accentColor: hexColor,
  borderColor: hexColor,
})
export type BoardTheme = z.infer<typeof boardTheme>

const wholeNumber = z.number().check(z.int('Use a whole number.'))
const coordinate = wholeNumber.check(z.minimum(-frameLimits.maxCoordinate), z.maximum(frameLimits.maxCoordinate))
export const framePosition = z.object({ x: coordinate, y: coordinate })
export const frameSize = z.object({
  width: wholeNumber.check(z.minimum(frameLimits.minSize.width), z.maximum(frameLimits.maxSize.width)),
  height: wholeNumber.check(z.minimum(frameLimits.minSize.height), z.maximum(frameLimits.maxSize.height)),
})
const frameName = oneLine({ max: 120, min: 1, message: 'Enter a name.' })
export const frameSlug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens.'), z.maxLength(60))

/** The slug, numbered if it is taken. */
export function findFreeSlug(takenSlugs: ReadonlySet<string>, slug: string): string {
  if (!takenSlugs.has(slug)) return slug
  for (let number = 2; ; number++) if (!takenSlugs.has(`${slug}-${number}`)) return `${slug}-${number}`
}

/** `content` is typed in frame-content.ts; an unknown type can hold any object. */
export const frameData = z.object({
  frameType: z.string().check(z.minLength(1), z.maxLength(60)),
  name: frameName,
  description: z.string().check(z.maxLength(500)),
  category: z.enum(frameCategories),
  icon: z.string().check(z.maxLength(40)),
  slug: frameSlug,
  position: framePosition,
  size: frameSize,
  content: boundedRecord(z.string().check(z.maxLength(200)), z.unknown(), 10_000).check(maxJsonLength(500_000)),
})
export type FrameData = z.infer<typeof frameData>

export const frameConfig = z.object({
  id: z.string(),
  name: displayLine,
  description: z.string(),
  theme: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  frameType: z.string(),
  engagementMode: z.enum(engagementPatterns),
})

export const frame = z.object({
  id: z.string(),
  entityType: z.nullable(z.string()),
  entityId: z.nullable(z.string()),
  configId: z.string(),
  currentContentId: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  data: frameData,
  FrameConfig: frameConfig,
})
export type Frame = z.infer<typeof frame>

export const boardConfig = z.object({
  name: displayLine.check(z.maxLength(1000)),
  description: z.string().check(z.maxLength(20_000)),
  layout: z.enum(boardLayouts),
  engagementMode: z.enum(engagementPatterns),
  allowLayoutEditing: z.boolean(),
  animation: z.enum(['none', 'fade', 'slide', 'scale']),
  theme: boardTheme,
})
export type BoardConfig = z.infer<typeof boardConfig>

/** The caller's permission; `owner` can also share, link and delete. */
export const boardRights = ['view', 'edit', 'owner'] as const
export type BoardRight = (typeof boardRights)[number]

const boardFields = {
  id: z.string(),
  name: displayLine,
  type: z.enum(boardTypes),
  description: z.string(),
  lastModified: z.string(),
  frameCount: z.number(),
  engagementMode: z.enum(engagementPatterns),
  domainId: z.nullable(z.string()),
  entityType: z.nullable(z.string()),
  entityId: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  rev: z.number(),
  may: z.enum(boardRights),
  owner: z.object({ id: z.string(), name: z.nullable(displayLine), isMe: z.boolean() }),
  isShared: z.boolean(),
}
export const boardInList = z.object(boardFields)
export type BoardInList = z.infer<typeof boardInList>
export const board = z.object({ ...boardFields, config: boardConfig, frames: z.array(frame) })
export type Board = z.infer<typeof board>

export const boardName = oneLine({ max: 120 })
const boardDescription = z.string().check(z.maxLength(2000, 'Use at most 2,000 characters.'))

/** Accepts other clients' IDs, such as UUIDs, but no names of object properties or board settings: changes are keyed by both. */
export const frameId = z.string().check(
  z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'Use an ID of at most 64 letters, digits, hyphens and underscores.'),
  z.refine((text) => !(text in Object.prototype || text in boardConfig.shape), 'Use another ID.'),
)

/** A frame in a request; dates and derived fields are ignored. */
export const newFrame = z.object({
  id: frameId,
  entityType: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
  entityId: z.optional(z.nullable(id)),
  data: frameData,
  FrameConfig: z.object({
    engagementMode: z.enum(engagementPatterns),
    theme: z.optional(z.nullable(z.string().check(z.maxLength(60)))),
  }),
})
export type NewFrame = z.input<typeof newFrame>

/** A partial frame. Omitted fields keep their saved value; a new frame gets its type's defaults and a free position. */
export const frameToSave = z.extend(newFrame, {
  data: z.extend(frameData, {
    position: z.optional(framePosition),
    size: z.optional(frameSize),
    content: z.optional(frameData.shape.content),
  }),
})

const frames = z.array(frameToSave).check(z.maxLength(maxFrames, 'A board can have at most 1,000 frames.'))
export const boardBodyLimit = 8 * 1024 * 1024
export const boardBodyKeys = 200_000

export const boardVersion = z.object({
  rev: z.number(),
  at: z.string(),
  by: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
  name: displayLine,
  frameCount: z.number(),
})
export type BoardVersion = z.infer<typeof boardVersion>

export const boardTemplate = z.object({
  id: z.string(),
  name: displayLine,
  description: z.string(),
  system: z.boolean(),
  frameCount: z.number(),
  frameTypes: z.array(z.string()),
})
export type BoardTemplate = z.infer<typeof boardTemplate>

const boardParams = z.object({ id })

export const boards = {
  list: defineEndpoint('GET /api/board-data', {
    summary:
      'List boards you can open, last changed first; 1,000 per page. `domainId` filters by domain; `demo` means your primary one',
    access: 'person',
    query: z.extend(pagedQuery, { domainId: z.optional(id) }),
    response: z.array(boardInList),
  }),
  show: defineEndpoint('GET /api/board-data/:id', {
    summary: 'Get a board with its frames',
    access: 'person',
    params: boardParams,
    response: board,
    responseFormat: 'bare',
  }),
  create: defineEndpoint('POST /api/boards', {
    summary: 'Create a board with a Cover and a Settings frame, or from a template',
    access: 'person',
    body: z.object({
      id: z.optional(clientId),
      name: z.optional(boardName),
      type: z.optional(z.enum(boardTypes)),
      description: z.optional(boardDescription),
      engagementMode: z.optional(z.enum(engagementPatterns)),
      domainId: z.optional(id),
      templateId: z.optional(id),
    }),
    response: board,
    responseFormat: 'bare',
    supportsIdempotencyKey: true,
  }),
  save: defineEndpoint('PATCH /api/boards/:id', {
    summary: 'Save a board: its config, and its frames if sent. `If-Match` prevents overwriting someone else’s change',
    access: 'person',
    params: boardParams,
    body: z.object({
      name: z.optional(boardName),
      description: z.optional(boardDescription),
      engagementMode: z.optional(z.enum(engagementPatterns)),
      config: z.optional(z.partial(z.extend(boardConfig, { name: boardName, description: boardDescription }))),
      frames: z.optional(frames),
    }),
    maxBodyBytes: boardBodyLimit,
    maxBodyKeys: boardBodyKeys,
    response: board,
    responseFormat: 'bare',
  }),
  remove: defineEndpoint('DELETE /api/boards/:id', {
    summary: 'Move a board to the trash for 30 days',
    access: 'person',
    params: boardParams,
    response: emptyResponse,
  }),
  trash: defineEndpoint('GET /api/boards/deleted', {
    summary: 'List your boards in the trash, newest first; 1,000 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(
      z.object({
        id: z.string(),
        name: displayLine,
        frameCount: z.number(),
        deletedAt: z.string(),
        goneAt: z.string(),
      }),
    ),
  }),
  restore: defineEndpoint('POST /api/boards/:id/restore', {
    summary: 'Restore a board from the trash',
    access: 'person',
    params: boardParams,
    response: board,
    responseFormat: 'bare',
  }),
  ofEntity: defineEndpoint('POST /api/boards/of-entity', {
    summary: 'Get your board for an entity, creating it with its first frames if you have none',
    access: 'person',
    body: z.object({ entityType: z.enum(boardEntities), entityId: id }),
    response: board,
    responseFormat: 'bare',
  }),
  versions: defineEndpoint('GET /api/boards/:id/versions', {
    summary: 'List the earlier versions of a board, newest first',
    access: 'person',
    params: boardParams,
    query: z.object(cursorQuery),
    response: z.object({ items: z.array(boardVersion), next_cursor: z.nullable(z.string()) }),
  }),
  version: defineEndpoint('GET /api/boards/:id/versions/:rev', {
    summary: 'Get an earlier version of a board',
    access: 'person',
    params: z.object({ id, rev: z.coerce.number().check(z.int(), z.minimum(1)) }),
    response: z.object({ config: boardConfig, frames: z.array(frame) }),
  }),
  restoreVersion: defineEndpoint('POST /api/boards/:id/versions/:rev/restore', {
    summary: 'Restore an earlier version; the current state stays as a version',
    access: 'person',
    params: z.object({ id, rev: z.coerce.number().check(z.int(), z.minimum(1)) }),
    response: board,
    responseFormat: 'bare',
  }),
  templates: defineEndpoint('GET /api/board-templates', {
    summary: 'List board templates: built-in ones, then yours, newest first; 1,000 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(boardTemplate),
  }),
  saveTemplate: defineEndpoint('POST /api/board-templates', {
    summary: 'Save a board as a template, without pictures, chats or selected entities',
    access: 'person',
    body: z.object({ boardId: id, name: frameName, description: z.optional(boardDescription) }),
    response: boardTemplate,
    supportsIdempotencyKey: true,
  }),
  removeTemplate: defineEndpoint('DELETE /api/board-templates/:id', {
    summary: 'Delete one of your templates',
    access: 'person',
    params: boardParams,
    response: emptyResponse,
  }),
  agentWorkspace: defineEndpoint('GET /api/agents/:agentId', {
    summary: 'Get an agent with the frames of your board for it',
    access: 'person',
    params: z.object({ agentId: id }),
    response: z.object({ agent, frames: z.array(frame) }),
  }),
}
