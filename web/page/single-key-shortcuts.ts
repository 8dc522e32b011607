import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

const singleKeysKey = 'keeper-single-keys'

export function areSingleKeyShortcutsOn(): boolean {
  return readSetting(singleKeysKey) !== 'off'
}

export function setSingleKeyShortcuts(on: boolean): void {
  writeSetting(singleKeysKey, on ? null : 'off')
}
