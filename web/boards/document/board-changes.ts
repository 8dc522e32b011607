import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { addFrames, type BoardDocument, copyOf, withOwnSlugs } from './board-document.ts'

/** One frame before and after a change; null if it didn't exist or was removed. */
export interface FrameChange {
  id: string
  before: Frame | null
  after: Frame | null
}
export interface DocumentChange {
  frames: FrameChange[]
  config: { before: BoardConfig; after: BoardConfig } | null
  /** IDs in reading order; null if unchanged or if frames were only appended. */
  order: { before: string[]; after: string[] } | null
}

/** Deep equality of JSON values. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), b as Record<string, unknown>]
  return (
    left.length === Object.keys(right).length && left.every(([key, value]) => key in right && same(value, right[key]))
  )
}

type Fields = Record<string, unknown>
/** Flattens the editable fields of a frame, without dates and derived IDs. */
export function fieldsOf(frame: Frame): Fields {
  const { position, size, content, name, slug, description } = frame.data
  const held = Object.fromEntries(Object.entries(content).map(([key, value]) => [`content.${key}`, value]))
  const { engagementMode, theme } = frame.FrameConfig
  const { entityType, entityId } = frame
  return { position, size, name, slug, description, engagementMode, theme, entityType, entityId, ...held }
}

function withFields(frame: Frame, fields: Fields): Frame {
  const content = Object.entries(fields).filter(([key]) => key.startsWith('content.'))
  const { position, size, name, slug, description, engagementMode, theme, entityType, entityId } = fields as never
  return {
    ...frame,
    entityType,
    entityId,
    data: {
      ...frame.data,
      ...{ position, size, name, slug, description },
      content: Object.fromEntries(content.map(([key, value]) => [key.slice('content.'.length), value])),
    },
    FrameConfig: { ...frame.FrameConfig, name, description, engagementMode, theme },
  }
}

export function sameFrame(a: Frame | null, b: Frame | null): boolean {
  return a === b || (a !== null && b !== null && same(fieldsOf(a), fieldsOf(b)))
}

export function changesBetween(before: BoardDocument, after: BoardDocument): DocumentChange {
  if (before === after) return { frames: [], config: null, order: null }
  const [old, now] = [byId(before.frames), byId(after.frames)]
  const frames: FrameChange[] = []
  for (const frame of before.frames) {
    const next = now.get(frame.id) ?? null
    if (!sameFrame(frame, next)) frames.push({ id: frame.id, before: frame, after: next })
  }
  for (const frame of after.frames) if (!old.has(frame.id)) frames.push({ id: frame.id, before: null, after: frame })
  const ids = { before: before.frames.map(({ id }) => id), after: after.frames.map(({ id }) => id) }
  const added = ids.after.filter((id) => !old.has(id))
  return {
    frames,
    config: same(before.config, after.config) ? null : { before: before.config, after: after.config },
    order: same([...ids.before, ...added], ids.after) ? null : ids,
  }
}

export function isNoChange({ frames, config, order }: DocumentChange): boolean {
  return frames.length === 0 && config === null && order === null
}

/** A full state rather than an edit, marked by an unchanged order. */
export const isEverything = ({ order }: DocumentChange): boolean => order !== null && same(order.before, order.after)

const byId = (frames: readonly Frame[]) => new Map(frames.map((frame) => [frame.id, frame]))
/** Whether the frames in both documents are ordered differently. */
function wasReordered(before: BoardDocument, after: BoardDocument): boolean {
  const [old, now] = [byId(before.frames), byId(after.frames)]
  const stayed = before.frames.filter(({ id }) => now.has(id)).map(({ id }) => id)
  return !same(
    stayed,
    after.frames.filter(({ id }) => old.has(id)).map(({ id }) => id),
  )
}

/** Inverts a change; applying it keeps later changes to other fields. */
export function undoing({ frames, config, order }: DocumentChange): DocumentChange {
  return {
    frames: frames.map(({ id, before, after }) => ({ id, before: after, after: before })),
    config: config && { before: config.after, after: config.before },
    order: order && { before: order.after, after: order.before },
  }
}

/** The part of a change that is still in effect in the document. */
export function standing({ frames, config }: DocumentChange, document: BoardDocument): DocumentChange {
  const now = byId(document.frames)
  return {
    frames: frames.flatMap(({ id, before, after }): FrameChange[] => {
      const frame = now.get(id)
      if (!frame || !after) return []
      if (!before) return [{ id, before, after }]
      const stood = keptOf(fieldsOf(before), fieldsOf(after), fieldsOf(frame))
      return [{ id, before, after: withFields(before, stood) }]
    }),
    config: config && { before: config.before, after: keptOf(config.before, config.after, document.config) },
    order: null,
  }
}

/** `previous` with those fields of `next` that `current` still has. */
function keptOf<T extends object>(before: T, after: T, held: T): T {
  const kept = { ...before }
  for (const key of Object.keys(after) as (keyof T)[]) if (same(after[key], held[key])) kept[key] = after[key]
  return kept
}

export function applyChange(document: BoardDocument, change: DocumentChange): BoardDocument {
  const changes = new Map(change.frames.map((each) => [each.id, each]))
  const present = new Set(document.frames.map(({ id }) => id))
  const frames = document.frames.flatMap((frame) => {
    const wanted = changes.get(frame.id)
    if (!wanted) return [frame]
    if (!wanted.after) return []
    return [wanted.before ? mergeFrame(wanted.before, wanted.after, frame).merged : wanted.after]
  })
  for (const { id, after } of change.frames) if (after && !present.has(id)) frames.push(after)
  const config = change.config
    ? mergeFields(change.config.before, change.config.after, document.config).merged
    : document.config
  return { config, frames: change.order ? inOrder(frames, change.order.after) : frames }
}

/** Sorts by IDs; unlisted frames come last in their order. */
function inOrder(frames: readonly Frame[], ids: readonly string[]): Frame[] {
  const places = new Map(ids.map((id, index) => [id, index]))
  const placeOf = ({ id }: Frame) => places.get(id) ?? Number.POSITIVE_INFINITY
  return frames.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0))
}

interface Merged<T> {
  merged: T
  /** Fields that both sides changed differently; `merged` has the local value. */
  torn: string[]
}

function mergeFields<T extends object>(base: T, mine: T, theirs: T): Merged<T> {
  const torn: string[] = []
  const keys = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]) as Set<keyof T & string>
  const merged: Partial<T> = {}
  for (const key of keys) {
    const isMine = !same(base[key], mine[key])
    if (isMine && !same(base[key], theirs[key]) && !same(mine[key], theirs[key])) torn.push(key)
    const from = isMine ? mine : theirs
    if (key in from) merged[key] = from[key]
  }
  return { merged: merged as T, torn }
}

function mergeFrame(base: Frame | null, mine: Frame, theirs: Frame): Merged<Frame> {
  if (mine === base) return { merged: theirs, torn: [] }
  const [own, other] = [fieldsOf(mine), fieldsOf(theirs)]
  const { merged, torn } = mergeFields(base ? fieldsOf(base) : madeOf(own, other), own, other)
  if (same(merged, other)) return { merged: theirs, torn }
  return { merged: withFields(theirs, merged), torn }
}

/**
 * Base fields of a frame that exists on both sides but not in the base document: empty, so that every difference
 * conflicts, except a slug that the server numbered on save.
 */
function madeOf({ slug: own }: Fields, { slug: other }: Fields): Fields {
  const isNumbered = String(other).startsWith(`${own}-`) && /^\d+$/.test(String(other).slice(`${own}-`.length))
  return isNumbered ? { slug: own } : {}
}

export type Conflict =
  | { kind: 'frame'; id: string; mine: Frame | null; theirs: Frame | null; fields: string[] }
  | { kind: 'config'; id: keyof BoardConfig; mine: unknown; theirs: unknown }

export interface MergedDocument {
  /** Both sides merged; conflicts have the local value. */
  merged: BoardDocument
  conflicts: Conflict[]
  /** All remote changes, conflicting or not. */
  theirChanges: DocumentChange
  /** Remote frame IDs in order. */
  theirOrder: readonly string[]
}

/** Three-way merge. */
export function mergeDocuments(base: BoardDocument, mine: BoardDocument, theirs: BoardDocument): MergedDocument {
  const { merged, conflicts } = mergeParts(base, mine, theirs)
  return {
    merged: withOwnSlugs(merged, theirs),
    conflicts,
    theirChanges: changesBetween(base, theirs),
    theirOrder: idsOf(theirs.frames),
  }
}

/** Updates the received state with a remote document, without echoes of local changes and locally added frames. */
export function heardOf(told: BoardDocument, here: BoardDocument, heard: BoardDocument): BoardDocument {
  const known = byId(heard.frames)
  const added = new Set(idsOf(here.frames).filter((id) => !known.has(id)))
  const { merged } = mergeParts(here, told, heard)
  return { ...merged, frames: merged.frames.filter(({ id }) => !added.has(id)) }
}

function mergeParts(base: BoardDocument, mine: BoardDocument, theirs: BoardDocument) {
  const conflicts: Conflict[] = []
  const [old, mines] = [byId(base.frames), byId(mine.frames)]
  let frames: Frame[] = []
  const taken = new Set<string>()
  for (const frame of theirs.frames) {
    const [before, own] = [old.get(frame.id) ?? null, mines.get(frame.id) ?? null]
    taken.add(frame.id)
    if (own) {
      const { merged, torn } = mergeFrame(before, own, frame)
      if (torn.length > 0) conflicts.push({ kind: 'frame', id: frame.id, mine: own, theirs: frame, fields: torn })
      frames.push(merged)
    } else if (!before) frames.push(frame)
    // Deleted locally but changed remotely: stays deleted until the conflict is resolved.
    else if (!sameFrame(before, frame)) {
      conflicts.push({ kind: 'frame', id: frame.id, mine: null, theirs: frame, fields: [] })
    }
  }
  for (const frame of mine.frames) {
    if (taken.has(frame.id)) continue
    const before = old.get(frame.id) ?? null
    if (before && sameFrame(before, frame)) continue
    if (before) {
      conflicts.push({ kind: 'frame', id: frame.id, mine: frame, theirs: null, fields: [] })
      frames = putBack(frames, frame, idsOf(mine.frames))
    } else frames.push(frame)
  }
  const { merged: config, torn } = mergeFields(base.config, mine.config, theirs.config)
  for (const id of torn as (keyof BoardConfig)[]) {
    conflicts.push({ kind: 'config', id, mine: mine.config[id], theirs: theirs.config[id] })
  }
  const inMyOrder = wasReordered(base, mine) ? inOrder(frames, idsOf(mine.frames)) : frames
  return { merged: { config, frames: inMyOrder } satisfies BoardDocument, conflicts }
}

const idsOf = (frames: readonly Frame[]): string[] => frames.map(({ id }) => id)

/** Reinserts a frame after its closest remaining predecessor. */
function putBack(frames: readonly Frame[], frame: Frame, order: readonly string[]): Frame[] {
  const there = idsOf(frames)
  const before = order.slice(0, order.indexOf(frame.id)).findLast((id) => there.includes(id))
  return frames.toSpliced(before === undefined ? 0 : there.indexOf(before) + 1, 0, frame)
}

export type Choice = 'mine' | 'theirs' | 'both'

/**
 * Resolves conflicts, by default with the local version. `theirs` replaces only conflicting fields; `both` keeps the
 * remote frame and adds the local one as a copy.
 */
export function decide(
  { merged, conflicts, theirOrder }: MergedDocument,
  choices: ReadonlyMap<string, Choice>,
): BoardDocument {
  let document = merged
  for (const conflict of conflicts) {
    const choice = choices.get(conflict.id) ?? 'mine'
    if (choice === 'mine') continue
    if (conflict.kind === 'config') {
      document = { ...document, config: { ...document.config, [conflict.id]: conflict.theirs } }
      continue
    }
    const { id, mine, theirs, fields } = conflict
    const wasDeleted = document.frames.every((frame) => frame.id !== id)
    const decided = (frame: Frame) =>
      !theirs ? [] : [choice === 'both' ? theirs : withTheirFields(frame, theirs, fields)]
    const frames =
      theirs && wasDeleted
        ? putBack(document.frames, theirs, theirOrder)
        : document.frames.flatMap((frame) => (frame.id === id ? decided(frame) : [frame]))
    document = { ...document, frames }
    if (choice === 'both' && mine) document = addFrames([besideTheirs(mine, theirs)])(document)
  }
  return document
}

function withTheirFields(frame: Frame, theirs: Frame, fields: readonly string[]): Frame {
  const [own, taken] = [fieldsOf(frame), fieldsOf(theirs)]
  const whose = (key: string) => (fields.includes(key) ? taken : own)
  const keys = [...new Set([...Object.keys(own), ...Object.keys(taken)])].filter((key) => key in whose(key))
  return withFields(frame, Object.fromEntries(keys.map((key) => [key, whose(key)[key]])))
}

/** Copies the local frame, with its chat unless the remote frame has the same one. */
function besideTheirs(mine: Frame, theirs: Frame | null): Frame {
  const copy = copyOf(mine, 40)
  const { content } = mine.data
  return content.sessionId === theirs?.data.content.sessionId ? copy : { ...copy, data: { ...copy.data, content } }
}

/** The fields set by a change, as JSON values. */
export function touchedFields({ before, after }: FrameChange): Record<string, string> {
  if (!after) return {}
  const [old, now] = [before ? fieldsOf(before) : {}, fieldsOf(after)] as Record<string, unknown>[]
  const touched = Object.entries(now ?? {}).filter(([key, value]) => !old || !(key in old) || !same(old[key], value))
  return Object.fromEntries(touched.map(([key, value]) => [key, JSON.stringify(value)]))
}
