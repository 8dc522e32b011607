import { recall, remember } from '#web/browser-memory.ts'

/** Remembers that first steps are finished, so that no space is reserved for them while they load. */
const key = 'keeper-first-steps-over'

export function areFirstStepsOver(personId: string | undefined): boolean {
  return recall(key) === personId
}

export function rememberFirstStepsOver(personId: string, over: boolean): void {
  remember(key, over ? personId : null)
}
