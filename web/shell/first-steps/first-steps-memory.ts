import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

/** Remembers that first steps are finished, so that no space is reserved for them while they load. */
const firstStepsKey = 'keeper-first-steps-over'

export function areFirstStepsOver(personId: string | undefined): boolean {
  return readSetting(firstStepsKey) === personId
}

export function rememberFirstStepsOver(personId: string, isOver: boolean): void {
  writeSetting(firstStepsKey, isOver ? personId : null)
}
