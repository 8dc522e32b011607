/** For a state setter after async work: `next` if the state is still `was`, so a newer dialog or search isn't overwritten. */
export const ifStill =
  <T>(was: T, next: T) =>
  (now: T): T =>
    now === was ? next : now
