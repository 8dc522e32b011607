import type { Board, BoardConfig, Frame, FrameData } from '#contract/boards/boards.ts'
import { frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { emptyContent } from '#contract/boards/frame-content.ts'
import { type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import { newClientId } from '#web/offline/new-client-id.ts'

/** Editable state of a board, with frames in reading order. Immutable: unchanged parts keep their identity. */
export interface BoardDocument {
  readonly config: BoardConfig
  readonly frames: readonly Frame[]
}
export type Point = FrameData['position']
export type Size = FrameData['size']
/** Canvas pixels. */
export type Box = Point & Size
export type Edit = (document: BoardDocument) => BoardDocument

export const documentOf = ({ config, frames }: Pick<Board, 'config' | 'frames'>): BoardDocument => ({ config, frames })

/** Rounds to the grid and clamps to the server's limits. */
export function snap(value: number): number {
  const snapped = Math.round(value / gridSpacing) * gridSpacing
  return Math.max(-frameLimits.farthest, Math.min(frameLimits.farthest, snapped)) + 0
}
export const snapPoint = ({ x, y }: Point): Point => ({ x: snap(x), y: snap(y) })
export function snapSize({ width, height }: Size): Size {
  const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, snap(value)))
  const { least, most } = frameLimits
  return { width: within(width, least.width, most.width), height: within(height, least.height, most.height) }
}

export const boxOf = ({ data }: Frame): Box => ({ ...data.position, ...data.size })

export function boxAround(frames: readonly Frame[]): Box | undefined {
  if (frames.length === 0) return undefined
  const boxes = frames.map(boxOf)
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

export interface NewFrameOptions {
  position: Point
  size?: Size
  name?: string
  entityType?: string | null
  entityId?: string | null
  content?: Record<string, unknown>
}

/** Creates a frame with defaults, not yet on a board. */
export function makeFrame(frameType: FrameType, options: NewFrameOptions): Frame {
  const facts = frameTypes[frameType]
  const at = new Date().toISOString()
  const id = newClientId()
  const name = options.name ?? facts.name
  return {
    id,
    entityType: options.entityType ?? null,
    entityId: options.entityId ?? null,
    configId: id,
    currentContentId: null,
    createdAt: at,
    updatedAt: at,
    data: {
      frameType,
      name,
      description: facts.description,
      category: facts.category,
      icon: facts.icon,
      slug: slugOf(name),
      position: snapPoint(options.position),
      size: snapSize(options.size ?? facts.size),
      content: options.content ?? emptyContent(frameType),
    },
    FrameConfig: {
      id,
      name,
      description: facts.description,
      theme: null,
      createdAt: at,
      updatedAt: at,
      frameType,
      engagementMode: facts.pattern,
    },
  }
}

export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/[̀-ͯ]/g, '').toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-|-$/g, '')
  return slug || 'frame'
}

/** The slug, numbered if another frame has it. */
export function freeSlug(frames: readonly Frame[], slug: string, except?: string): string {
  return freeOf(new Set(frames.filter(({ id }) => id !== except).map(({ data }) => data.slug)), slug)
}
function freeOf(taken: ReadonlySet<string>, slug: string): string {
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
}

/** Makes slugs unique: saved frames keep theirs, newer ones are renumbered. */
export function withOwnSlugs(document: BoardDocument, saved: BoardDocument): BoardDocument {
  const known = new Map(saved.frames.map(({ id, data }) => [id, data.slug]))
  const keepsIts = ({ id, data }: Frame) => known.get(id) === data.slug
  const taken = new Set(document.frames.filter(keepsIts).map(({ data }) => data.slug))
  const frames = document.frames.map((frame) => {
    if (keepsIts(frame)) return frame
    const slug = freeOf(taken, frame.data.slug)
    taken.add(slug)
    return slug === frame.data.slug ? frame : { ...frame, data: { ...frame.data, slug } }
  })
  return frames.every((frame, index) => frame === document.frames[index]) ? document : { ...document, frames }
}

/** Adds frames on top, with unique slugs. */
export const addFrames =
  (added: readonly Frame[]): Edit =>
  (document) => {
    const frames = [...document.frames]
    for (const frame of added) {
      const slug = freeSlug(frames, frame.data.slug)
      frames.push(slug === frame.data.slug ? frame : { ...frame, data: { ...frame.data, slug } })
    }
    return { ...document, frames }
  }

/** Unknown IDs change nothing. */
export const changeFrame =
  (id: string, change: (frame: Frame) => Frame): Edit =>
  (document) => ({ ...document, frames: document.frames.map((frame) => (frame.id === id ? change(frame) : frame)) })

/** Merges changes into the content of a frame. */
export const changeContent = (id: string, changes: Record<string, unknown>): Edit =>
  changeFrame(id, (frame) => ({
    ...frame,
    data: { ...frame.data, content: { ...frame.data.content, ...changes } },
  }))

/** For copying to another board, because pictures belong to one board. */
export const withoutPictures: Edit = (document) => ({ ...document, frames: document.frames.map(withoutPicture) })
export function withoutPicture(frame: Frame): Frame {
  const { content } = frame.data
  return content.mediaId ? { ...frame, data: { ...frame.data, content: { ...content, mediaId: null } } } : frame
}

/** Sets snapped boxes by ID; unchanged frames keep their identity. */
export const placeFrames =
  (boxes: ReadonlyMap<string, Partial<Box>>): Edit =>
  (document) => ({
    ...document,
    frames: document.frames.map((frame) => {
      const box = boxes.get(frame.id)
      if (!box) return frame
      const whole = { ...boxOf(frame), ...box }
      const [position, size] = [snapPoint(whole), snapSize(whole)]
      const before = boxOf(frame)
      const same =
        before.x === position.x &&
        before.y === position.y &&
        before.width === size.width &&
        before.height === size.height
      return same ? frame : { ...frame, data: { ...frame.data, position, size } }
    }),
  })

export const removeFrames =
  (ids: ReadonlySet<string>): Edit =>
  (document) => ({ ...document, frames: document.frames.filter(({ id }) => !ids.has(id)) })

/** `onCopied` receives the IDs of the copies. */
export const duplicateFrames =
  (ids: ReadonlySet<string>, made: (ids: string[]) => void): Edit =>
  (document) => {
    const copies = document.frames.filter(({ id }) => ids.has(id)).map((frame) => copyOf(frame, gridSpacing * 2))
    made(copies.map(({ id }) => id))
    return addFrames(copies)(document)
  }

/** Copies a frame, offset by `distance` pixels and without its chat session. */
export function copyOf(frame: Frame, distance: number): Frame {
  const id = newClientId()
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
  (id: string, to: number): Edit =>
  (document) => {
    const frame = document.frames.find((each) => each.id === id)
    if (!frame) return document
    const frames = document.frames.filter((each) => each !== frame)
    frames.splice(Math.max(0, Math.min(frames.length, to)), 0, frame)
    return { ...document, frames }
  }

export const changeConfig =
  (changes: Partial<BoardConfig>): Edit =>
  (document) => ({ ...document, config: { ...document.config, ...changes } })
