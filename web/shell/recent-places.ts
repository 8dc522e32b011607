import { whoseBrowser } from '#web/offline/whose-browser.ts'

/** Per user and tab, newest first. */
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
    // Without storage the palette just shows fewer pages.
  }
}
