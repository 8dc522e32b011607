export interface EditHistory<State> {
  past: readonly State[]
  now: State
  future: readonly State[]
  /** Subject and time (ms) of the newest change, to merge following changes of the same subject. */
  last?: { about: string; at: number }
}

const longest = 100
const togetherMilliseconds = 800

export function historyOf<State>(now: State): EditHistory<State> {
  return { past: [], now, future: [] }
}

/** Merges quick successive changes of one subject, so that dragging a color is undone in one step. */
export function changed<State>(
  history: EditHistory<State>,
  next: State,
  about: string,
  at: number,
): EditHistory<State> {
  const { last, past, now } = history
  const goesOn = last?.about === about && at - last.at < togetherMilliseconds && past.length > 0
  return { past: goesOn ? past : [...past, now].slice(-longest), now: next, future: [], last: { about, at } }
}

export function undone<State>({ past, now, future }: EditHistory<State>): EditHistory<State> | undefined {
  const before = past.at(-1)
  return before && { past: past.slice(0, -1), now: before, future: [now, ...future] }
}

export function redone<State>({ past, now, future }: EditHistory<State>): EditHistory<State> | undefined {
  const [after, ...rest] = future
  return after && { past: [...past, now], now: after, future: rest }
}
