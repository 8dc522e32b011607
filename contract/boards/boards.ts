import * as z from 'zod/mini'
import { agent } from '../agents/agents.ts'
import { boundedRecord, maxJsonLength } from '../bounds.ts'
import { endpoint } from '../endpoint.ts'
import { clientId, cursorQuery, id, nothing, pagedQuery } from '../keepers/keeper-words.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { boardEntities, engagementPatterns, frameCategories } from './frame-types.ts'

/** Snapping and drop positions (seed 002 §9). */
export const gridSpacing = 20
export const mostFrames = 1000
/** Pixels of the canvas. */
export const frameLimits = {
  least: { width: 120, height: 80 },
  most: { width: 2000, height: 2000 },
  farthest: 100_000,
} as const
export const boardTypes = ['custom_board', ...boardEntities] as const
export type BoardType = (typeof boardTypes)[number]
export const boardLayouts = ['grid', 'column', 'row', 'wizard', 'focus', 'canvas'] as const
export type BoardLayout = (typeof boardLayouts)[number]
/** Seconds of each preset: seed 002 §9. */
export const animationSeconds = { none: 0, fade: 0.3, slide: 0.4, scale: 0.3 } as const
export type BoardAnimation = keyof typeof animationSeconds

export const defaultBoardTheme = {
  primaryColor: '#334155',
  backgroundColor: '#E2E8F0',
  accentColor: '#0F172A',
  borderColor: '#CBD5E1',
} as const
/** What a board without a theme is shown in (seed 002 §3). */
export const themeOfThemeless = { ...defaultBoardTheme, primaryColor: '#3B82F6', backgroundColor: '#F8FAFC' } as const

const colour = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #334155.'))
export const boardTheme = z.object({
  primaryColor: colour,
  backgroundColor: colour,
  accentColor: colour,
  borderColor: colour,
})
export type BoardTheme = z.infer<typeof boardTheme>

const whole = z.number().check(z.int('Use a whole number.'))
const place = whole.check(z.minimum(-frameLimits.farthest), z.maximum(frameLimits.farthest))
export const framePosition = z.object({ x: place, y: place })
export const frameSize = z.object({
  width: whole.check(z.minimum(frameLimits.least.width), z.maximum(frameLimits.most.width)),
  height: whole.check(z.minimum(frameLimits.least.height), z.maximum(frameLimits.most.height)),
})
const frameName = oneLine({ max: 120, min: 1, message: 'Enter a name.' })
export const frameSlug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single hyphens.'), z.maxLength(60))

/** What a frame is, and what it holds (`content`: shapes in frame-content.ts; an unknown type may hold any object). */
export const frameData = z.object({
  frameType: z.string().check(z.minLength(1), z.maxLength(60)),
  name: frameName,
  description: z.string().check(z.maxLength(500)),
  category: z.enum(frameCategories),
  icon: z.string().check(z.maxLength(40)),
  /** Unique on its board. */
  slug: frameSlug,
  position: framePosition,
  size: frameSize,
  content: boundedRecord(z.string().check(z.maxLength(200)), z.unknown(), 10_000).check(maxJsonLength(500_000)),
})
export type FrameData = z.infer<typeof frameData>

export const frameConfig = z.object({
  id: z.string(),
  name: shownLine,
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
  name: shownLine.check(z.maxLength(1000)),
  description: z.string().check(z.maxLength(20_000)),
  layout: z.enum(boardLayouts),
  engagementMode: z.enum(engagementPatterns),
  allowLayoutEditing: z.boolean(),
  animation: z.enum(['none', 'fade', 'slide', 'scale']),
  theme: boardTheme,
})
export type BoardConfig = z.infer<typeof boardConfig>

/** What the caller may do with a board. `owner` also shares, links and deletes it. */
export const boardRights = ['view', 'edit', 'owner'] as const
export type BoardRight = (typeof boardRights)[number]

const boardFields = {
  id: z.string(),
  name: shownLine,
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
  /** Whose it is, for who got it shared. */
  owner: z.object({ id: z.string(), name: z.nullable(shownLine), isMe: z.boolean() }),
  /** Whether others see it: members of a domain, or who has the link. */
  isShared: z.boolean(),
}
/** A board in a list: without its frames. */
export const boardInList = z.object(boardFields)
export type BoardInList = z.infer<typeof boardInList>
export const board = z.object({ ...boardFields, config: boardConfig, frames: z.array(frame) })
export type Board = z.infer<typeof board>

export const boardName = oneLine({ max: 120 })
const boardDescription = z.string().check(z.maxLength(2000, 'Use at most 2,000 characters.'))

/**
 * Also one that another client made, such as a UUID. None that is a property of every object, and none of a setting:
 * what two people changed is known by the id of a frame or by the name of a setting.
 */
export const frameId = z.string().check(
  z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'Make an id of at most 64 letters, digits, hyphens and underscores.'),
  z.refine((text) => !(text in Object.prototype || text in boardConfig.shape), 'Make another id.'),
)

/** A frame as it is sent: dates and what the server derives may stand in it and have no effect. */
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

/**
 * A frame of a save, as far as seed 002 §3 says it. What is left out of its data stays as it was on the board, and of a
 * frame that is new there it is as its type has it, in a free place.
 */
export const frameToSave = z.extend(newFrame, {
  data: z.extend(frameData, {
    position: z.optional(framePosition),
    size: z.optional(frameSize),
    content: z.optional(frameData.shape.content),
  }),
})

const frames = z.array(frameToSave).check(z.maxLength(mostFrames, 'A board can have at most 1,000 frames.'))
/** 1,000 frames with what they hold. */
export const boardBodyLimit = 8 * 1024 * 1024
export const boardBodyKeys = 200_000

export const boardVersion = z.object({
  rev: z.number(),
  at: z.string(),
  by: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
  name: shownLine,
  frameCount: z.number(),
})
export type BoardVersion = z.infer<typeof boardVersion>

export const boardTemplate = z.object({
  id: z.string(),
  name: shownLine,
  description: z.string(),
  /** Shipped with Keeper, read-only. */
  system: z.boolean(),
  frameCount: z.number(),
  /** The types in it, in their order, for a small picture. */
  frameTypes: z.array(z.string()),
})
export type BoardTemplate = z.infer<typeof boardTemplate>

const boardParams = z.object({ id })

export const boards = {
  list: endpoint('GET /api/board-data', {
    summary:
      'Boards the caller may open, newest change first; 1,000 at once. `domainId` narrows to one domain; `demo` is the caller’s primary one',
    access: 'person',
    query: z.extend(pagedQuery, { domainId: z.optional(id) }),
    returns: z.array(boardInList),
  }),
  show: endpoint('GET /api/board-data/:id', {
    summary: 'A board with its frames',
    access: 'person',
    params: boardParams,
    returns: board,
    answer: 'bare',
  }),
  create: endpoint('POST /api/boards', {
    summary: 'Make a board with a Cover and a Settings frame, or from a template',
    access: 'person',
    body: z.object({
      id: z.optional(clientId),
      name: z.optional(boardName),
      type: z.optional(z.enum(boardTypes)),
      description: z.optional(boardDescription),
      engagementMode: z.optional(z.enum(engagementPatterns)),
      /** `demo`: the caller’s primary domain. */
      domainId: z.optional(id),
      templateId: z.optional(id),
    }),
    returns: board,
    answer: 'bare',
    creates: true,
  }),
  save: endpoint('PATCH /api/boards/:id', {
    summary: 'Save a whole board: config, and frames when they are there. `If-Match` refuses to write over another’s',
    access: 'person',
    params: boardParams,
    body: z.object({
      name: z.optional(boardName),
      description: z.optional(boardDescription),
      engagementMode: z.optional(z.enum(engagementPatterns)),
      config: z.optional(z.partial(z.extend(boardConfig, { name: boardName, description: boardDescription }))),
      frames: z.optional(frames),
    }),
    bodyLimit: boardBodyLimit,
    bodyKeys: boardBodyKeys,
    returns: board,
    answer: 'bare',
  }),
  remove: endpoint('DELETE /api/boards/:id', {
    summary: 'Put a board into the bin, for 30 days',
    access: 'person',
    params: boardParams,
    returns: nothing,
  }),
  bin: endpoint('GET /api/boards/deleted', {
    summary: 'One’s boards in the bin, the newest first; 1,000 at once',
    access: 'person',
    query: pagedQuery,
    returns: z.array(
      z.object({ id: z.string(), name: shownLine, frameCount: z.number(), deletedAt: z.string(), goneAt: z.string() }),
    ),
  }),
  restore: endpoint('POST /api/boards/:id/restore', {
    summary: 'Take a board out of the bin',
    access: 'person',
    params: boardParams,
    returns: board,
    answer: 'bare',
  }),
  ofEntity: endpoint('POST /api/boards/of-entity', {
    summary: 'The caller’s board of an entity, made with its first frames where there is none',
    access: 'person',
    body: z.object({ entityType: z.enum(boardEntities), entityId: id }),
    returns: board,
    answer: 'bare',
  }),
  versions: endpoint('GET /api/boards/:id/versions', {
    summary: 'What a board was, newest first',
    access: 'person',
    params: boardParams,
    query: z.object(cursorQuery),
    returns: z.object({ items: z.array(boardVersion), next_cursor: z.nullable(z.string()) }),
  }),
  version: endpoint('GET /api/boards/:id/versions/:rev', {
    summary: 'A board as it was',
    access: 'person',
    params: z.object({ id, rev: z.coerce.number().check(z.int(), z.minimum(1)) }),
    returns: z.object({ config: boardConfig, frames: z.array(frame) }),
  }),
  restoreVersion: endpoint('POST /api/boards/:id/versions/:rev/restore', {
    summary: 'Make a board what it was; what it is now stays as a version',
    access: 'person',
    params: z.object({ id, rev: z.coerce.number().check(z.int(), z.minimum(1)) }),
    returns: board,
    answer: 'bare',
  }),
  templates: endpoint('GET /api/board-templates', {
    summary: 'Templates for boards: those shipped, then one’s own, the newest first; 1,000 at once',
    access: 'person',
    query: pagedQuery,
    returns: z.array(boardTemplate),
  }),
  saveTemplate: endpoint('POST /api/board-templates', {
    summary: 'Keep a board as a template; pictures, chats and chosen entities are left out',
    access: 'person',
    body: z.object({ boardId: id, name: frameName, description: z.optional(boardDescription) }),
    returns: boardTemplate,
    creates: true,
  }),
  removeTemplate: endpoint('DELETE /api/board-templates/:id', {
    summary: 'Delete a template of one’s own',
    access: 'person',
    params: boardParams,
    returns: nothing,
  }),
  agentWorkspace: endpoint('GET /api/agents/:agentId', {
    summary: 'An agent with the frames of the caller’s board of it',
    access: 'person',
    params: z.object({ agentId: id }),
    returns: z.object({ agent, frames: z.array(frame) }),
  }),
}
