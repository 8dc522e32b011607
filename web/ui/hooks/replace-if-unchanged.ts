/** For a state setter after async work: `next` if the state is still `expected`, so a newer dialog or search isn't overwritten. */
export const replaceIfUnchanged =
  <T>(expected: T, next: T) =>
  (current: T): T =>
    current === expected ? next : current
