import { getSignedInUserId } from '#web/offline/signed-in-user.ts'

/** Per user and tab, newest first. */
const getStorageKey = (person: string) => `keeper-recent-${person}`
const maxRecentPages = 6

/** Pages such as a keeper’s settings name their keeper in the query. */
export function getPageAddress({ pathname, search }: { pathname: string; search: string }): string {
  return pathname.startsWith('/keeper/selected/') ? pathname + search : pathname
}

export function getRecentPages(): string[] {
  const person = getSignedInUserId()
  if (person === null) return []
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(getStorageKey(person)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

export function recordPageVisit(path: string): void {
  const person = getSignedInUserId()
  if (person === null) return
  const paths = [path, ...getRecentPages().filter((other) => other !== path)].slice(0, maxRecentPages)
  try {
    sessionStorage.setItem(getStorageKey(person), JSON.stringify(paths))
  } catch {
    // Without storage the palette just shows fewer pages.
  }
}
