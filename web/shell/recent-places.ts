import { whoseBrowser } from '#web/offline/whose-browser.ts'

/** The places this person visited in this tab, newest first; gone with the tab, and hidden from whoever signs in there next. */
const keyOf = (person: string) => `keeper-recent-${person}`
const most = 6

export function recentPlaces(): string[] {
  const person = whoseBrowser()
  if (person === null) return []
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(person)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

export function notePlace(path: string): void {
  const person = whoseBrowser()
  if (person === null) return
  const places = [path, ...recentPlaces().filter((other) => other !== path)].slice(0, most)
  try {
    sessionStorage.setItem(keyOf(person), JSON.stringify(places))
  } catch {
    // No room, or nothing is kept for this tab: the palette shows fewer places.
  }
}
