import type { BoardChange } from '#contract/boards/board-live.ts'
import type { BoardConfig, Frame, NewFrame } from '#contract/boards/boards.ts'
import { ApiError, Unreachable } from '#web/api.ts'
import { type DocumentChange, isNoChange, same, touchedFields } from '../document/board-changes.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { sentFrame } from '../document/sent-board.ts'

export function sentChange({ frames, config, order }: DocumentChange): BoardChange {
  return {
    frames: frames.map(({ id, before, after }) => ({
      id,
      before: before && sentFrame(before),
      after: after && sentFrame(after),
    })),
    config,
    order,
  }
}

export function receivedChange({ frames, config, order }: BoardChange, now: string): DocumentChange {
  return {
    frames: frames.map(({ id, before, after }) => ({
      id,
      before: before && wholeFrame(before, now),
      after: after && wholeFrame(after, now),
    })),
    config,
    order,
  }
}

function wholeFrame({ id, entityType = null, entityId = null, data, FrameConfig }: NewFrame, now: string): Frame {
  const { name, description, frameType } = data
  const dates = { createdAt: now, updatedAt: now }
  const { engagementMode, theme = null } = FrameConfig
  return {
    ...{ id, entityType, entityId, configId: id, currentContentId: null, ...dates },
    data,
    FrameConfig: { id, name, description, theme, ...dates, frameType, engagementMode },
  }
}

/** All unsaved changes, possibly none; a full `order` marks it as such (`isFullState`). */
export function everythingOf({ unsavedChange, seen }: BoardEditor): DocumentChange {
  const ids = seen().document.frames.map(({ id }) => id)
  return { ...unsavedChange, order: { before: ids, after: ids } }
}

/** State of a rejoin. Nothing is sent until it completes, because local changes could be older than remote ones. */
export interface CatchingUp {
  told: DocumentChange[]
  /** Tabs that sent all their changes. */
  from: Set<string>
  /** `undefined` until the participants are known. */
  awaited: string[] | undefined
}

export function joined(first: DocumentChange | null, next: DocumentChange): DocumentChange {
  if (!first) return next
  const frames = new Map(first.frames.map((each) => [each.id, each]))
  for (const each of next.frames) frames.set(each.id, { ...each, before: (frames.get(each.id) ?? each).before })
  return {
    frames: [...frames.values()].filter(({ before, after }) => before !== null || after !== null),
    config: next.config
      ? { before: first.config?.before ?? next.config.before, after: next.config.after }
      : first.config,
    order: next.order ? { before: first.order?.before ?? next.order.before, after: next.order.after } : first.order,
  }
}

/** The part of a change that a later one overwrites. */
export function overwritten(mine: DocumentChange, later: DocumentChange): DocumentChange {
  const laters = new Map(later.frames.map((each) => [each.id, each]))
  const frames = mine.frames.filter((each) => {
    const other = laters.get(each.id)
    if (!other) return false
    if (each.after === null || other.after === null) return each.after !== other.after
    const fields = touchedFields(other)
    return Object.entries(touchedFields(each)).some(([field, text]) => field in fields && fields[field] !== text)
  })
  const isLost = mine.config && later.config && isWrittenOver(mine.config, later.config)
  return { frames, config: isLost ? mine.config : null, order: null }
}

/** Overwritten changes older than this aren't reported. */
const justNowMs = 6000

export interface SentChange {
  change: DocumentChange
  at: number
  seq: number
  /** No notice is due: it was given, or the change is a resend. */
  told: boolean
}

export function firstOverwritten(
  sent: readonly SentChange[],
  seq: number,
  later: DocumentChange,
): { own: SentChange; lost: DocumentChange } | undefined {
  const since = Date.now() - justNowMs
  for (const own of sent) {
    if (own.told || own.at < since || own.seq > seq) continue
    const lost = overwritten(own.change, later)
    if (!isNoChange(lost)) return { own, lost }
  }
  return undefined
}

type ConfigChange = NonNullable<DocumentChange['config']>
function isWrittenOver(mine: ConfigChange, later: ConfigChange): boolean {
  const fields = Object.keys(mine.after) as (keyof BoardConfig)[]
  const isSetBy = (change: ConfigChange, field: keyof BoardConfig) => !same(change.before[field], change.after[field])
  return fields.some(
    (field) => isSetBy(mine, field) && isSetBy(later, field) && !same(mine.after[field], later.after[field]),
  )
}

export interface Overwritten {
  name: string | null
  /** Names of the affected frames. */
  frames: string[]
  putBack(): void
}

export function overwrittenBy(
  { name }: { name: string | null },
  { frames }: DocumentChange,
  putBack: () => void,
): Overwritten {
  return { name, frames: frames.map(({ before, after }) => (after ?? before)?.data.name ?? ''), putBack }
}

/** The failure isn't the change's fault. */
export const isOfTheWay = (reason: unknown): boolean =>
  reason instanceof Unreachable ||
  (reason instanceof ApiError && (reason.status >= 500 || reason.status === 429 || reason.fields?.tab !== undefined))

/** The server rejected the change; the others see it once it is saved. */
export const isRefused = (reason: unknown): boolean => reason instanceof ApiError && reason.status !== 404
