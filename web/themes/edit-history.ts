export interface EditHistory<State> {
  past: readonly State[]
  present: State
  future: readonly State[]
  /** Subject and time (ms) of the newest change, to merge following changes of the same subject. */
  last?: { subject: string; changedAt: number }
}

const maxEntries = 100
const mergeWithinMs = 800

export function createHistory<State>(present: State): EditHistory<State> {
  return { past: [], present, future: [] }
}

/** Merges quick successive changes of one subject, so that dragging a color is undone in one step. */
export function pushChange<State>(
  history: EditHistory<State>,
  next: State,
  subject: string,
  changedAt: number,
): EditHistory<State> {
  const { last, past, present } = history
  const isMerged = last?.subject === subject && changedAt - last.changedAt < mergeWithinMs && past.length > 0
  return {
    past: isMerged ? past : [...past, present].slice(-maxEntries),
    present: next,
    future: [],
    last: { subject, changedAt },
  }
}

export function undoChange<State>({ past, present, future }: EditHistory<State>): EditHistory<State> | undefined {
  const previous = past.at(-1)
  return previous && { past: past.slice(0, -1), present: previous, future: [present, ...future] }
}

export function redoChange<State>({ past, present, future }: EditHistory<State>): EditHistory<State> | undefined {
  const [next, ...remaining] = future
  return next && { past: [...past, present], present: next, future: remaining }
}
