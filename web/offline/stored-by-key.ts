import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

/** The oldest are dropped first. */
const maxEntries = 100

type StoredEntry = [key: string, value: unknown]

/** The value that this browser last stored for the key; anyone can have edited it. */
export function readStored(settingKey: string, key: string): unknown {
  return readEntries(settingKey).find(([storedKey]) => storedKey === key)?.[1]
}

export function storeByKey(settingKey: string, key: string, value: unknown): void {
  const others = readEntries(settingKey).filter(([storedKey]) => storedKey !== key)
  writeSetting(settingKey, JSON.stringify([...others, [key, value]].slice(-maxEntries)))
}

function readEntries(settingKey: string): StoredEntry[] {
  try {
    const entries: unknown = JSON.parse(readSetting(settingKey) ?? '[]')
    return Array.isArray(entries) ? entries.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is StoredEntry {
  return Array.isArray(entry) && typeof entry[0] === 'string'
}
