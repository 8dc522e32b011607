import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { addFrames, type BoardDocument, copyFrame, withUniqueSlugs } from './board-document.ts'

/** One frame before and after a change; null if it didn't exist or was removed. */
interface FrameChange {
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

export function isEqualJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), b as Record<string, unknown>]
  return (
    left.length === Object.keys(right).length &&
    left.every(([key, value]) => key in right && isEqualJson(value, right[key]))
  )
}

type ComparedFields = Record<string, unknown>
/** Flattens the editable fields of a frame, without dates and derived IDs. */
export function getFrameFields(frame: Frame): ComparedFields {
  const { position, size, content, name, slug, description } = frame.data
  const contentFields = Object.fromEntries(Object.entries(content).map(([key, value]) => [`content.${key}`, value]))
  const { engagementMode, theme } = frame.FrameConfig
  const { entityType, entityId } = frame
  return { position, size, name, slug, description, engagementMode, theme, entityType, entityId, ...contentFields }
}

function withFields(frame: Frame, fields: ComparedFields): Frame {
  const content = Object.entries(fields).filter(([key]) => key.startsWith('content.'))
  const { position, size, name, slug, description, engagementMode, theme, entityType, entityId } = fields as never
  return {
    ...frame,
    entityType,
    entityId,
    data: {
      ...frame.data,
      position,
      size,
      name,
      slug,
      description,
      content: Object.fromEntries(content.map(([key, value]) => [key.slice('content.'.length), value])),
    },
    FrameConfig: { ...frame.FrameConfig, name, description, engagementMode, theme },
  }
}

export function isSameFrame(a: Frame | null, b: Frame | null): boolean {
  return a === b || (a !== null && b !== null && isEqualJson(getFrameFields(a), getFrameFields(b)))
}

export function diffDocuments(before: BoardDocument, after: BoardDocument): DocumentChange {
  if (before === after) return { frames: [], config: null, order: null }
  const [framesBefore, framesAfter] = [indexById(before.frames), indexById(after.frames)]
  const frames: FrameChange[] = []
  for (const frame of before.frames) {
    const next = framesAfter.get(frame.id) ?? null
    if (!isSameFrame(frame, next)) frames.push({ id: frame.id, before: frame, after: next })
  }
  for (const frame of after.frames)
    if (!framesBefore.has(frame.id)) frames.push({ id: frame.id, before: null, after: frame })
  const ids = { before: before.frames.map(({ id }) => id), after: after.frames.map(({ id }) => id) }
  const addedIds = ids.after.filter((id) => !framesBefore.has(id))
  return {
    frames,
    config: isEqualJson(before.config, after.config) ? null : { before: before.config, after: after.config },
    order: isEqualJson([...ids.before, ...addedIds], ids.after) ? null : ids,
  }
}

export function isNoChange({ frames, config, order }: DocumentChange): boolean {
  return frames.length === 0 && config === null && order === null
}

/** Whether the change is a full state instead of an edit; an `order` without a difference marks it. */
export const isFullState = ({ order }: DocumentChange): boolean =>
  order !== null && isEqualJson(order.before, order.after)

const indexById = (frames: readonly Frame[]) => new Map(frames.map((frame) => [frame.id, frame]))
function wasReordered(before: BoardDocument, after: BoardDocument): boolean {
  const [framesBefore, framesAfter] = [indexById(before.frames), indexById(after.frames)]
  const remainingIds = before.frames.filter(({ id }) => framesAfter.has(id)).map(({ id }) => id)
  return !isEqualJson(
    remainingIds,
    after.frames.filter(({ id }) => framesBefore.has(id)).map(({ id }) => id),
  )
}

/** Inverts a change; applying it keeps later changes to other fields. */
export function invertChange({ frames, config, order }: DocumentChange): DocumentChange {
  return {
    frames: frames.map(({ id, before, after }) => ({ id, before: after, after: before })),
    config: config && { before: config.after, after: config.before },
    order: order && { before: order.after, after: order.before },
  }
}

/** The part of a change that is still in effect in the document. */
export function getAppliedPart({ frames, config }: DocumentChange, document: BoardDocument): DocumentChange {
  const currentFrames = indexById(document.frames)
  return {
    frames: frames.flatMap(({ id, before, after }): FrameChange[] => {
      const frame = currentFrames.get(id)
      if (!frame || !after) return []
      if (!before) return [{ id, before, after }]
      const appliedFields = pickStillApplied(getFrameFields(before), getFrameFields(after), getFrameFields(frame))
      return [{ id, before, after: withFields(before, appliedFields) }]
    }),
    config: config && { before: config.before, after: pickStillApplied(config.before, config.after, document.config) },
    order: null,
  }
}

/** `previous` with those fields of `next` that `current` still has. */
function pickStillApplied<T extends object>(previous: T, next: T, current: T): T {
  const result = { ...previous }
  for (const key of Object.keys(next) as (keyof T)[]) if (isEqualJson(next[key], current[key])) result[key] = next[key]
  return result
}

export function applyChange(document: BoardDocument, change: DocumentChange): BoardDocument {
  const changes = new Map(change.frames.map((frameChange) => [frameChange.id, frameChange]))
  const existingIds = new Set(document.frames.map(({ id }) => id))
  const frames = document.frames.flatMap((frame) => {
    const frameChange = changes.get(frame.id)
    if (!frameChange) return [frame]
    if (!frameChange.after) return []
    return [frameChange.before ? mergeFrame(frameChange.before, frameChange.after, frame).merged : frameChange.after]
  })
  for (const { id, after } of change.frames) if (after && !existingIds.has(id)) frames.push(after)
  const config = change.config
    ? mergeFields(change.config.before, change.config.after, document.config).merged
    : document.config
  return { config, frames: change.order ? sortByIds(frames, change.order.after) : frames }
}

/** Sorts by IDs; unlisted frames come last in their order. */
function sortByIds(frames: readonly Frame[], ids: readonly string[]): Frame[] {
  const indexes = new Map(ids.map((id, index) => [id, index]))
  const getIndex = ({ id }: Frame) => indexes.get(id) ?? ids.length
  return frames.toSorted((a, b) => getIndex(a) - getIndex(b))
}

interface MergeResult<T> {
  merged: T
  /** Fields that both sides changed differently; `merged` has the local value. */
  conflictingFields: string[]
}

function mergeFields<T extends object>(base: T, local: T, remote: T): MergeResult<T> {
  const conflictingFields: string[] = []
  const keys = new Set([...Object.keys(base), ...Object.keys(local), ...Object.keys(remote)]) as Set<keyof T & string>
  const merged: Partial<T> = {}
  for (const key of keys) {
    const isLocalChange = !isEqualJson(base[key], local[key])
    if (isLocalChange && !isEqualJson(base[key], remote[key]) && !isEqualJson(local[key], remote[key]))
      conflictingFields.push(key)
    const source = isLocalChange ? local : remote
    if (key in source) merged[key] = source[key]
  }
  return { merged: merged as T, conflictingFields }
}

function mergeFrame(base: Frame | null, local: Frame, remote: Frame): MergeResult<Frame> {
  if (local === base) return { merged: remote, conflictingFields: [] }
  const [localFields, remoteFields] = [getFrameFields(local), getFrameFields(remote)]
  const { merged, conflictingFields } = mergeFields(
    base ? getFrameFields(base) : getImplicitBase(localFields, remoteFields),
    localFields,
    remoteFields,
  )
  if (isEqualJson(merged, remoteFields)) return { merged: remote, conflictingFields }
  return { merged: withFields(remote, merged), conflictingFields }
}

/** The base of a frame that both sides added: every difference conflicts, except a slug that the server numbered. */
function getImplicitBase({ slug: localSlug }: ComparedFields, { slug: remoteSlug }: ComparedFields): ComparedFields {
  const prefix = `${localSlug}-`
  const slug = String(remoteSlug)
  const isNumbered = slug.startsWith(prefix) && /^\d+$/.test(slug.slice(prefix.length))
  return isNumbered ? { slug: localSlug } : {}
}

export type BoardConflict =
  | { kind: 'frame'; id: string; local: Frame | null; remote: Frame | null; fields: string[] }
  | { kind: 'config'; id: keyof BoardConfig; local: unknown; remote: unknown }

export interface MergedDocument {
  /** Both sides merged; conflicts have the local value. */
  merged: BoardDocument
  conflicts: BoardConflict[]
  /** All remote changes, conflicting or not. */
  remoteChanges: DocumentChange
  /** Remote frame IDs in order. */
  remoteOrder: readonly string[]
}

export function mergeDocuments(base: BoardDocument, local: BoardDocument, remote: BoardDocument): MergedDocument {
  const { merged, conflicts } = mergeParts(base, local, remote)
  return {
    merged: withUniqueSlugs(merged, remote),
    conflicts,
    remoteChanges: diffDocuments(base, remote),
    remoteOrder: getIds(remote.frames),
  }
}

/** Updates the received state with a remote document, without echoes of local changes and locally added frames. */
export function mergeReceived(
  received: BoardDocument,
  local: BoardDocument,
  previouslyReceived: BoardDocument,
): BoardDocument {
  const existingFrames = indexById(previouslyReceived.frames)
  const addedIds = new Set(getIds(local.frames).filter((id) => !existingFrames.has(id)))
  const { merged } = mergeParts(local, received, previouslyReceived)
  return { ...merged, frames: merged.frames.filter(({ id }) => !addedIds.has(id)) }
}

function mergeParts(base: BoardDocument, local: BoardDocument, remote: BoardDocument) {
  const conflicts: BoardConflict[] = []
  const [baseFrames, localFrames] = [indexById(base.frames), indexById(local.frames)]
  let frames: Frame[] = []
  const remoteIds = new Set<string>()
  for (const frame of remote.frames) {
    const [baseFrame, localFrame] = [baseFrames.get(frame.id) ?? null, localFrames.get(frame.id) ?? null]
    remoteIds.add(frame.id)
    if (localFrame) {
      const { merged, conflictingFields } = mergeFrame(baseFrame, localFrame, frame)
      if (conflictingFields.length > 0)
        conflicts.push({ kind: 'frame', id: frame.id, local: localFrame, remote: frame, fields: conflictingFields })
      frames.push(merged)
    } else if (!baseFrame) frames.push(frame)
    // Deleted locally but changed remotely: stays deleted until the conflict is resolved.
    else if (!isSameFrame(baseFrame, frame)) {
      conflicts.push({ kind: 'frame', id: frame.id, local: null, remote: frame, fields: [] })
    }
  }
  for (const frame of local.frames) {
    if (remoteIds.has(frame.id)) continue
    const baseFrame = baseFrames.get(frame.id) ?? null
    if (baseFrame && isSameFrame(baseFrame, frame)) continue
    if (baseFrame) {
      conflicts.push({ kind: 'frame', id: frame.id, local: frame, remote: null, fields: [] })
      frames = reinsertFrame(frames, frame, getIds(local.frames))
    } else frames.push(frame)
  }
  const { merged: config, conflictingFields } = mergeFields(base.config, local.config, remote.config)
  for (const id of conflictingFields as (keyof BoardConfig)[]) {
    conflicts.push({ kind: 'config', id, local: local.config[id], remote: remote.config[id] })
  }
  const orderedFrames = wasReordered(base, local) ? sortByIds(frames, getIds(local.frames)) : frames
  return { merged: { config, frames: orderedFrames } satisfies BoardDocument, conflicts }
}

const getIds = (frames: readonly Frame[]): string[] => frames.map(({ id }) => id)

/** Reinserts a frame after its closest remaining predecessor. */
function reinsertFrame(frames: readonly Frame[], frame: Frame, order: readonly string[]): Frame[] {
  const frameIds = getIds(frames)
  const predecessor = order.slice(0, order.indexOf(frame.id)).findLast((id) => frameIds.includes(id))
  return frames.toSpliced(predecessor === undefined ? 0 : frameIds.indexOf(predecessor) + 1, 0, frame)
}

export type ConflictChoice = 'local' | 'remote' | 'both'

/** Local by default. `remote` replaces only conflicting fields; `both` keeps the remote frame and adds a local copy. */
export function resolveConflicts(
  { merged, conflicts, remoteOrder }: MergedDocument,
  choices: ReadonlyMap<string, ConflictChoice>,
): BoardDocument {
  let document = merged
  for (const conflict of conflicts) {
    const choice = choices.get(conflict.id) ?? 'local'
    if (choice === 'local') continue
    if (conflict.kind === 'config') {
      document = { ...document, config: { ...document.config, [conflict.id]: conflict.remote } }
      continue
    }
    const { id, local, remote, fields } = conflict
    const wasDeleted = document.frames.every((frame) => frame.id !== id)
    const resolveFrame = (frame: Frame) =>
      !remote ? [] : [choice === 'both' ? remote : withRemoteFields(frame, remote, fields)]
    const frames =
      remote && wasDeleted
        ? reinsertFrame(document.frames, remote, remoteOrder)
        : document.frames.flatMap((frame) => (frame.id === id ? resolveFrame(frame) : [frame]))
    document = { ...document, frames }
    if (choice === 'both' && local) document = addFrames([copyLocalFrame(local, remote)])(document)
  }
  return document
}

function withRemoteFields(frame: Frame, remote: Frame, fields: readonly string[]): Frame {
  const [localFields, remoteFields] = [getFrameFields(frame), getFrameFields(remote)]
  const getSide = (key: string) => (fields.includes(key) ? remoteFields : localFields)
  const keys = [...new Set([...Object.keys(localFields), ...Object.keys(remoteFields)])].filter(
    (key) => key in getSide(key),
  )
  return withFields(frame, Object.fromEntries(keys.map((key) => [key, getSide(key)[key]])))
}

/** Copies the local frame, with its chat unless the remote frame has the same one. */
function copyLocalFrame(local: Frame, remote: Frame | null): Frame {
  const copy = copyFrame(local, 40)
  const { content } = local.data
  return content.sessionId === remote?.data.content.sessionId ? copy : { ...copy, data: { ...copy.data, content } }
}

/** The fields of a frame that a change sets. */
export const getChangedFields = ({ before, after }: FrameChange): Record<string, unknown> =>
  after ? getChangedValues({ before: before ? getFrameFields(before) : {}, after: getFrameFields(after) }) : {}

export function getChangedValues({ before, after }: { before: object; after: object }): Record<string, unknown> {
  const previous = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => !previous.has(key) || !isEqualJson(previous.get(key), value)),
  )
}
