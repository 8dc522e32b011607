export interface EditHistory<State> {
  past: readonly State[]
  now: State
  future: readonly State[]
  /** Subject and time (ms) of the newest change, to merge following changes of the same subject. */
  last?: { about: string; at: number }
}

const maxEntries = 100
const mergeWithinMs = 800

export function createHistory<State>(now: State): EditHistory<State> {
  return { past: [], now, future: [] }
}

/** Merges quick successive changes of one subject, so that dragging a color is undone in one step. */
export function pushChange<State>(
  history: EditHistory<State>,
  next: State,
  about: string,
  at: number,
): EditHistory<State> {
  const { last, past, now } = history
  const isMerged = last?.about === about && at - last.at < mergeWithinMs && past.length > 0
  return { past: isMerged ? past : [...past, now].slice(-maxEntries), now: next, future: [], last: { about, at } }
}

export function undoChange<State>({ past, now, future }: EditHistory<State>): EditHistory<State> | undefined {
  const previous = past.at(-1)
  return previous && { past: past.slice(0, -1), now: previous, future: [now, ...future] }
}

export function redoChange<State>({ past, now, future }: EditHistory<State>): EditHistory<State> | undefined {
  const [next, ...remaining] = future
  return next && { past: [...past, now], now: next, future: remaining }
}
