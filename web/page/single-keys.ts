import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

const singleKeysKey = 'keeper-single-keys'

export function areSingleKeysOn(): boolean {
  return readSetting(singleKeysKey) !== 'off'
}

export function setSingleKeys(on: boolean): void {
  writeSetting(singleKeysKey, on ? null : 'off')
}
