import {
  type Board,
  type BoardConfig,
  type Frame,
  type FrameData,
  findFreeSlug,
  frameLimits,
  gridSpacing,
  type NewFrame,
} from '#contract/boards/boards.ts'
import { createFrameData, toFrame } from '#contract/boards/frame-content.ts'
import { type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import { getBoundingBox as getBoxBounds } from '#contract/boards/free-positions.ts'
import { createClientId } from '#web/offline/create-client-id.ts'

/** Editable state of a board, with frames in reading order. Immutable: unchanged parts keep their identity. */
export interface BoardDocument {
  readonly config: BoardConfig
  readonly frames: readonly Frame[]
}
export type Point = FrameData['position']
export type Size = FrameData['size']
/** Canvas pixels. */
export type Box = Point & Size
export type BoardEdit = (document: BoardDocument) => BoardDocument

export const toDocument = ({ config, frames }: Pick<Board, 'config' | 'frames'>): BoardDocument => ({ config, frames })

/** Rounds to multiples of `step`, within the server's limits. Adding 0 turns -0 into 0. */
const roundTo = (step: number, value: number, min: number, max: number) =>
  Math.max(min, Math.min(max, Math.round(value / step) * step)) + 0
function roundPointTo(step: number, { x, y }: Point): Point {
  const { maxCoordinate: max } = frameLimits
  return { x: roundTo(step, x, -max, max), y: roundTo(step, y, -max, max) }
}
function roundSizeTo(step: number, { width, height }: Size): Size {
  const { minSize: min, maxSize: max } = frameLimits
  return { width: roundTo(step, width, min.width, max.width), height: roundTo(step, height, min.height, max.height) }
}
export const roundSize = (size: Size): Size => roundSizeTo(1, size)
export const snapSize = (size: Size): Size => roundSizeTo(gridSpacing, size)
export const snapPoint = (point: Point): Point => roundPointTo(gridSpacing, point)
export const snapToGrid = (value: number): number => snapPoint({ x: value, y: 0 }).x

export const getFrameBox = ({ data }: Frame): Box => ({ ...data.position, ...data.size })

export const getBoundingBox = (frames: readonly Frame[]): Box | undefined => getBoxBounds(frames.map(getFrameBox))

export const containsBox = (outer: Box, { x, y, width, height }: Box): boolean =>
  x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height

export interface NewFrameOptions {
  position: Point
  size?: Size
  name?: string
  entityType?: string | null
  entityId?: string | null
  content?: Record<string, unknown>
}

/** Creates a frame with defaults, not yet on a board. */
export function buildFrame(frameType: FrameType, options: NewFrameOptions): Frame {
  const { pattern, ...defaults } = frameTypes[frameType]
  const { name = defaults.name, content, entityType, entityId } = options
  const data = createFrameData(frameType, {
    name,
    content,
    slug: toFrameSlug(name),
    position: snapPoint(options.position),
    size: snapSize(options.size ?? defaults.size),
  })
  const frame = { id: createClientId(), entityType, entityId, data, FrameConfig: { engagementMode: pattern } }
  return toFrame(frame, new Date().toISOString())
}

export function toFrameSlug(name: string): string {
  const asciiName = name.normalize('NFKD').replace(/[̀-ͯ]/g, '').toLowerCase()
  const slug = asciiName
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-|-$/g, '')
  return slug || 'frame'
}

/** The slug, numbered if another frame has it. */
export function toUniqueSlug(frames: readonly Frame[], slug: string, excludedId?: string): string {
  return findFreeSlug(new Set(frames.filter(({ id }) => id !== excludedId).map(({ data }) => data.slug)), slug)
}

/** Makes slugs unique: saved frames keep theirs, newer ones are renumbered. */
export function withUniqueSlugs(document: BoardDocument, saved: BoardDocument): BoardDocument {
  const savedSlugs = new Map(saved.frames.map(({ id, data }) => [id, data.slug]))
  const keepsSlug = ({ id, data }: Frame) => savedSlugs.get(id) === data.slug
  const takenSlugs = new Set(document.frames.filter(keepsSlug).map(({ data }) => data.slug))
  const frames = document.frames.map((frame) => {
    if (keepsSlug(frame)) return frame
    const slug = findFreeSlug(takenSlugs, frame.data.slug)
    takenSlugs.add(slug)
    return slug === frame.data.slug ? frame : { ...frame, data: { ...frame.data, slug } }
  })
  return frames.every((frame, index) => frame === document.frames[index]) ? document : { ...document, frames }
}

export const addFrames =
  (newFrames: readonly Frame[]): BoardEdit =>
  (document) => {
    const frames = [...document.frames]
    for (const frame of newFrames) {
      const slug = toUniqueSlug(frames, frame.data.slug)
      frames.push(slug === frame.data.slug ? frame : { ...frame, data: { ...frame.data, slug } })
    }
    return { ...document, frames }
  }

/** Unknown IDs change nothing. */
export const changeFrame =
  (id: string, change: (frame: Frame) => Frame): BoardEdit =>
  (document) => ({ ...document, frames: document.frames.map((frame) => (frame.id === id ? change(frame) : frame)) })

export const changeContent = (id: string, changes: Record<string, unknown>): BoardEdit =>
  changeFrame(id, (frame) => ({
    ...frame,
    data: { ...frame.data, content: { ...frame.data.content, ...changes } },
  }))

/** For copying to another board, because pictures belong to one board. */
export const withoutPictures: BoardEdit = (document) => ({ ...document, frames: document.frames.map(withoutPicture) })
export function withoutPicture(frame: Frame): Frame {
  const { content } = frame.data
  return content.mediaId ? { ...frame, data: { ...frame.data, content: { ...content, mediaId: null } } } : frame
}

/** Sets boxes by ID, clamped to the server's limits; unchanged frames keep their identity. */
export const setFrameBoxes =
  (boxes: ReadonlyMap<string, Partial<Box>>, { snaps = false } = {}): BoardEdit =>
  (document) => {
    const step = snaps ? gridSpacing : 1
    const frames = document.frames.map((frame) => {
      const current = getFrameBox(frame)
      const box = { ...current, ...boxes.get(frame.id) }
      const [position, size] = [roundPointTo(step, box), roundSizeTo(step, box)]
      return !boxes.has(frame.id) || isSameBox(current, { ...position, ...size })
        ? frame
        : { ...frame, data: { ...frame.data, position, size } }
    })
    return frames.every((frame, index) => frame === document.frames[index]) ? document : { ...document, frames }
  }

export const isSameBox = (a: Box, b: Box) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height

export const removeFrames =
  (ids: ReadonlySet<string>): BoardEdit =>
  (document) => ({ ...document, frames: document.frames.filter(({ id }) => !ids.has(id)) })

/** `onCopied` receives the IDs of the copies. */
export const duplicateFrames =
  (ids: ReadonlySet<string>, onCopied: (ids: string[]) => void): BoardEdit =>
  (document) => {
    const copies = document.frames.filter(({ id }) => ids.has(id)).map((frame) => copyFrame(frame, gridSpacing * 2))
    onCopied(copies.map(({ id }) => id))
    return addFrames(copies)(document)
  }

/** Copies a frame, offset by `distance` pixels and without its chat session. */
export function copyFrame(frame: Frame, distance: number): Frame {
  const id = createClientId()
  const { position, content } = frame.data
  return {
    ...frame,
    id,
    configId: id,
    data: {
      ...frame.data,
      position: snapPoint({ x: position.x + distance, y: position.y + distance }),
      content: content.sessionId ? { ...content, sessionId: null } : content,
    },
    FrameConfig: { ...frame.FrameConfig, id },
  }
}

/** Moves a frame to a 0-based index in the reading order. */
export const reorderFrame =
  (id: string, targetIndex: number): BoardEdit =>
  (document) => {
    const frame = document.frames.find((candidate) => candidate.id === id)
    if (!frame) return document
    const frames = document.frames.filter((candidate) => candidate !== frame)
    frames.splice(Math.max(0, Math.min(frames.length, targetIndex)), 0, frame)
    return { ...document, frames }
  }

export const changeConfig =
  (changes: Partial<BoardConfig>): BoardEdit =>
  (document) => ({ ...document, config: { ...document.config, ...changes } })

export function toNewFrame({ id, entityType, entityId, data, FrameConfig }: Frame): NewFrame {
  const { engagementMode, theme } = FrameConfig
  return { id, entityType, entityId, data, FrameConfig: { engagementMode, theme } }
}

/** The request body of a board; frames in `saved` keep their slugs if two people added the same one. */
export function toBoardBody(document: BoardDocument, saved: BoardDocument) {
  const { config, frames } = withUniqueSlugs(document, saved)
  return { config, frames: frames.map(toNewFrame) }
}
