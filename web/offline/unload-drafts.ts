/**
 * Session storage for drafts and deletions that IndexedDB can't finish before the page unloads. The store imports and
 * deletes them on its next opening; until then they are unencrypted, in this tab only.
 */
const getKeyPrefix = (person: string) => `keeper-last-words ${person} `

export interface UnloadDraft {
  /** Key in the drafts store. */
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

/** Deletes everything of this person in the tab: unload drafts and recent pages. */
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
