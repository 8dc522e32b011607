import type { BoardChange } from '#contract/boards/board-live.ts'
import { toFrame } from '#contract/boards/frame-content.ts'
import { ApiError, NetworkError } from '#web/api/api.ts'
import {
  type DocumentChange,
  getChangedFields,
  getChangedValues,
  isEqualJson,
  isNoChange,
} from '../document/board-changes.ts'
import { toNewFrame } from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'

/** Converts both versions of each changed frame. */
const convertFrames = <From, To>(
  frames: readonly { id: string; before: From | null; after: From | null }[],
  convert: (frame: From) => To,
) => frames.map(({ id, before, after }) => ({ id, before: before && convert(before), after: after && convert(after) }))

export const toBoardChange = ({ frames, ...change }: DocumentChange): BoardChange => ({
  ...change,
  frames: convertFrames(frames, toNewFrame),
})

export const toDocumentChange = ({ frames, ...change }: BoardChange, now: string): DocumentChange => ({
  ...change,
  frames: convertFrames(frames, (frame) => toFrame(frame, now)),
})

export type ResendScope = 'all' | 'local'

/** The change to send again, or null if there is none. */
export function getResentChange(editor: BoardEditor, scope: ResendScope | null): DocumentChange | null {
  if (scope === 'all') return getFullChange(editor)
  return scope === null || isNoChange(editor.localChange) ? null : editor.localChange
}

/** All unsaved changes, possibly none; a full `order` marks it as such (`isFullState`). */
function getFullChange({ unsavedChange, getSnapshot }: BoardEditor): DocumentChange {
  const ids = getSnapshot().document.frames.map(({ id }) => id)
  return { ...unsavedChange, order: { before: ids, after: ids } }
}

/** State of a rejoin. Nothing is sent until it completes, because local changes could be older than remote ones. */
export interface BoardCatchUp {
  receivedChanges: DocumentChange[]
  /** Tabs that sent all their changes. */
  reportedTabs: Set<string>
  /** `undefined` until the participants are known. */
  awaitedTabs: string[] | undefined
}

export function concatChanges(first: DocumentChange | null, next: DocumentChange): DocumentChange {
  if (!first) return next
  const frames = new Map(first.frames.map((frameChange) => [frameChange.id, frameChange]))
  for (const frameChange of next.frames)
    frames.set(frameChange.id, { ...frameChange, before: (frames.get(frameChange.id) ?? frameChange).before })
  return {
    frames: [...frames.values()].filter(({ before, after }) => before !== null || after !== null),
    config: next.config
      ? { before: first.config?.before ?? next.config.before, after: next.config.after }
      : first.config,
    order: next.order ? { before: first.order?.before ?? next.order.before, after: next.order.after } : first.order,
  }
}

export function getOverwritten(earlier: DocumentChange, later: DocumentChange): DocumentChange {
  const laterById = new Map(later.frames.map((frameChange) => [frameChange.id, frameChange]))
  const frames = earlier.frames.filter((frameChange) => {
    const other = laterById.get(frameChange.id)
    if (!other) return false
    if (frameChange.after === null || other.after === null) return frameChange.after !== other.after
    return hasOtherValues(getChangedFields(frameChange), getChangedFields(other))
  })
  const isConfigLost =
    earlier.config && later.config && hasOtherValues(getChangedValues(earlier.config), getChangedValues(later.config))
  return { frames, config: isConfigLost ? earlier.config : null, order: null }
}

const hasOtherValues = (earlier: Record<string, unknown>, later: Record<string, unknown>) =>
  Object.entries(earlier).some(([field, value]) => field in later && !isEqualJson(later[field], value))

/** Overwritten changes older than this aren't reported. */
const overwriteNoticeMs = 6000

export interface SentChange {
  change: DocumentChange
  /** Milliseconds since the epoch. */
  sentAt: number
  seq: number
  /** Whether the person was notified, or needs no notice because the change is a resend. */
  isNotified: boolean
}

export function findOverwritten(
  recentlySent: readonly SentChange[],
  seq: number,
  later: DocumentChange,
): { sentChange: SentChange; lostChange: DocumentChange } | undefined {
  const since = Date.now() - overwriteNoticeMs
  for (const sentChange of recentlySent) {
    if (sentChange.isNotified || sentChange.sentAt < since || sentChange.seq > seq) continue
    const lostChange = getOverwritten(sentChange.change, later)
    if (!isNoChange(lostChange)) return { sentChange, lostChange }
  }
  return undefined
}

export interface OverwrittenChange {
  /** The person who overwrote the change. */
  personName: string | null
  frameNames: string[]
  restore(): void
}

export function toOverwrittenChange(
  { name }: { name: string | null },
  { frames }: DocumentChange,
  restore: () => void,
): OverwrittenChange {
  const frameNames = frames.map(({ before, after }) => (after ?? before)?.data.name ?? '')
  return { personName: name, frameNames, restore }
}

/** Whether sending the same change again can succeed. */
export const isRetryableSend = (reason: unknown): boolean =>
  reason instanceof NetworkError ||
  (reason instanceof ApiError && (reason.status >= 500 || reason.status === 429 || reason.fields?.tab !== undefined))

/** The server rejected the change; the others see it once it is saved. */
export const isRejected = (reason: unknown): boolean => reason instanceof ApiError && reason.status !== 404
