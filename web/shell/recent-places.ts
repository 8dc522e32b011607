/** The places visited in this tab, newest first; gone with the tab, so that nobody else reads them. */
const key = 'keeper-recent'
const most = 6

export function recentPlaces(): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

export function notePlace(path: string): void {
  const places = [path, ...recentPlaces().filter((other) => other !== path)].slice(0, most)
  sessionStorage.setItem(key, JSON.stringify(places))
}
