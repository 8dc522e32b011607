/**
 * Session storage for drafts and deletions that IndexedDB can't finish before the page unloads. The store imports and
 * deletes them on its next opening; until then they are unencrypted, in this tab only.
 */
const prefixOf = (person: string) => `keeper-last-words ${person} `

export interface LastDraft {
  /** Key in the drafts store. */
  place: string
  stamp: string
  record: unknown
}
export interface LastRemoval {
  place: string
  /** Only if the record is unchanged since. */
  stamp?: string
}
export type LastWords = LastDraft | LastRemoval

export function leaveLastWords(person: string, words: LastWords): void {
  // Storage may be blocked or full.
  try {
    sessionStorage.setItem(prefixOf(person) + words.place, JSON.stringify(words))
  } catch {}
}

export function lastWordsOf(person: string): LastWords[] {
  return namesOf(person).flatMap((name) => {
    try {
      return [JSON.parse(sessionStorage.getItem(name) ?? '') as LastWords]
    } catch {
      return []
    }
  })
}

/** Deletes everything of this person in the tab: unload drafts and recent pages. */
export function forgetTab(person: string): void {
  forgetLastWords(person)
  try {
    sessionStorage.removeItem(`keeper-recent-${person}`)
  } catch {}
}

export function forgetLastWords(person: string, place?: string): void {
  for (const name of namesOf(person))
    if (place === undefined || name === prefixOf(person) + place) sessionStorage.removeItem(name)
}

function namesOf(person: string): string[] {
  try {
    return Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(person)))
  } catch {
    return []
  }
}
