/** For what IndexedDB can't finish before unload; unencrypted, in this tab only, until the store opens again. */
const getKeyPrefix = (person: string) => `keeper-last-words ${person} `

export interface UnloadDraft {
  place: string
  stamp: string
  record: unknown
}
export interface UnloadRemoval {
  place: string
  /** Only if the record is unchanged since. */
  stamp?: string
}
export type UnloadEntry = UnloadDraft | UnloadRemoval

export function saveUnloadEntry(person: string, entry: UnloadEntry): void {
  // Storage may be blocked or full.
  try {
    sessionStorage.setItem(getKeyPrefix(person) + entry.place, JSON.stringify(entry))
  } catch {}
}

export function getUnloadEntries(person: string): UnloadEntry[] {
  return getStorageKeys(person).flatMap((name) => {
    try {
      return [JSON.parse(sessionStorage.getItem(name) ?? '') as UnloadEntry]
    } catch {
      return []
    }
  })
}

export function clearTabData(person: string): void {
  clearUnloadEntries(person)
  try {
    sessionStorage.removeItem(`keeper-recent-${person}`)
  } catch {}
}

export function clearUnloadEntries(person: string, key?: string): void {
  for (const name of getStorageKeys(person))
    if (key === undefined || name === getKeyPrefix(person) + key) sessionStorage.removeItem(name)
}

function getStorageKeys(person: string): string[] {
  try {
    return Object.keys(sessionStorage).filter((name) => name.startsWith(getKeyPrefix(person)))
  } catch {
    return []
  }
}
