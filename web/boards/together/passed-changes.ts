import type { BoardChange } from '#contract/boards/board-live.ts'
import type { BoardConfig, Frame, NewFrame } from '#contract/boards/boards.ts'
import { ApiError, Unreachable } from '#web/api.ts'
import { type DocumentChange, isNoChange, same, touchedFields } from '../document/board-changes.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { sentFrame } from '../document/sent-board.ts'

/** A change as it goes to the others on the board. */
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

/** All that is not saved here, told to whoever comes: also that it is nothing (`isEverything`). */
export function everythingOf({ unsaved, seen }: BoardEditor): DocumentChange {
  const ids = seen().document.frames.map(({ id }) => id)
  return { ...unsaved, order: { before: ids, after: ids } }
}

/** After a gap, until the others told everything they have. Meanwhile nothing is sent: it could be older than theirs. */
export interface CatchingUp {
  told: DocumentChange[]
  /** Tabs that told everything. */
  from: Set<string>
  /** Tabs that should; `undefined` until it is known who is there. */
  awaited: string[] | undefined
}

/** What two changes, one after the other, come to. */
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

/** What of somebody's change another one, told later, wrote over: frames by id, or the board itself. */
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

/** So long it is worth saying that somebody wrote over what one had just changed. */
const justNowMs = 6000

/** What was sent lately, with its place in the order. */
export interface SentChange {
  change: DocumentChange
  at: number
  seq: number
  /** That somebody wrote over it was said, or is not to be said. */
  told: boolean
}

/** The first of what was sent just now that a later change wrote over, and what of it. */
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
/** Whether both set the same setting, each to something else. */
function isWrittenOver(mine: ConfigChange, later: ConfigChange): boolean {
  const fields = Object.keys(mine.after) as (keyof BoardConfig)[]
  const isSetBy = (change: ConfigChange, field: keyof BoardConfig) => !same(change.before[field], change.after[field])
  return fields.some(
    (field) => isSetBy(mine, field) && isSetBy(later, field) && !same(mine.after[field], later.after[field]),
  )
}

/** Somebody else’s change stands where mine was. */
export interface Overwritten {
  name: string | null
  /** What it was of, by name. */
  frames: string[]
  /** Puts mine back, as an edit of its own. */
  putBack(): void
}

export function overwrittenBy(
  { name }: { name: string | null },
  { frames }: DocumentChange,
  putBack: () => void,
): Overwritten {
  return { name, frames: frames.map(({ before, after }) => (after ?? before)?.data.name ?? ''), putBack }
}

/** The change can still be passed on: nothing is wrong with it. */
export const isOfTheWay = (reason: unknown): boolean =>
  reason instanceof Unreachable ||
  (reason instanceof ApiError && (reason.status >= 500 || reason.status === 429 || reason.fields?.tab !== undefined))

/** The board is there, this change was not taken: the others see it when it is saved. */
export const isRefused = (reason: unknown): boolean => reason instanceof ApiError && reason.status !== 404
