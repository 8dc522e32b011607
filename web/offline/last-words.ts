/**
 * What a page had not sealed, or not thrown away, yet when it was left. The vault does neither at once, and a page that is
 * unloaded has no time; this is. The vault takes it over, and away, when the next page opens it. It lies unsealed for that
 * instant, in this tab alone; a page that is done leaves none.
 */
const prefixOf = (person: string) => `keeper-last-words ${person} `

export interface LastDraft {
  /** On the vault's shelf of drafts. */
  place: string
  stamp: string
  record: unknown
}
export interface LastRemoval {
  place: string
  /** Only if nobody wrote it since. */
  stamp?: string
}
export type LastWords = LastDraft | LastRemoval

export function leaveLastWords(person: string, words: LastWords): void {
  // A browser that keeps nothing for a tab, or a text too long for it.
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

/** Everything that lies in this tab of a person: what was not sealed yet, and where they were. */
export function forgetTab(person: string): void {
  forgetLastWords(person)
  try {
    sessionStorage.removeItem(`keeper-recent-${person}`)
  } catch {}
}

/** Of one draft, or all of them. */
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
