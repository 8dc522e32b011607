import { chatKeyPrefix } from '#web/api/api-token.ts'

/** Separate keys for visitors and signed-in people; slugs never contain a slash. */
const getStorageKey = (slug: string, signedIn: boolean) => `${chatKeyPrefix}${signedIn ? '' : 'visitor/'}${slug}`

export function getRememberedSession(slug: string, signedIn: boolean): string | undefined {
  try {
    return localStorage.getItem(getStorageKey(slug, signedIn)) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberSession(slug: string, signedIn: boolean, sessionId: string | null): void {
  try {
    if (sessionId) localStorage.setItem(getStorageKey(slug, signedIn), sessionId)
    else localStorage.removeItem(getStorageKey(slug, signedIn))
  } catch {}
}
