import { recall, remember } from '#web/browser-memory.ts'

/** Whose first steps this browser knows to be put away or over: for everybody else their place is held open while they load. */
const key = 'keeper-first-steps-over'

export function areOver(personId: string | undefined): boolean {
  return recall(key) === personId
}

export function rememberOver(personId: string, over: boolean): void {
  remember(key, over ? personId : null)
}
