/**
 * For a setter, after something that took its time: `next`, if what is there is still what it was about. Whoever opened or
 * typed something else meanwhile keeps that.
 */
export const ifStill =
  <T>(was: T, next: T) =>
  (now: T): T =>
    now === was ? next : now
