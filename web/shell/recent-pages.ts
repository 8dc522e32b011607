import { getSignedInUserId } from '#web/offline/signed-in-user.ts'

/** Per user and tab, newest first. */
const getStorageKey = (personId: string) => `keeper-recent-${personId}`
const maxRecentPages = 6

/** Pages such as a keeper’s settings name their keeper in the query. */
export function getPageAddress({ pathname, search }: { pathname: string; search: string }): string {
  return pathname.startsWith('/keeper/selected/') ? pathname + search : pathname
}

export function getRecentPages(): string[] {
  const personId = getSignedInUserId()
  if (personId === null) return []
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(getStorageKey(personId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

export function recordPageVisit(path: string): void {
  const personId = getSignedInUserId()
  if (personId === null) return
  const paths = [path, ...getRecentPages().filter((other) => other !== path)].slice(0, maxRecentPages)
  try {
    sessionStorage.setItem(getStorageKey(personId), JSON.stringify(paths))
  } catch {
    // Without storage the palette just shows fewer pages.
  }
}
