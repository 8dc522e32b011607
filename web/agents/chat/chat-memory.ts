import { chatKeyPrefix } from '#web/api/api-token.ts'
import { createStoredDraft, type StoredDraft } from '../form/stored-draft.ts'

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

export function getUnsentTextDraft(slug: string): StoredDraft<string> {
  return createStoredDraft(`chat-${slug}`, (value) => typeof value === 'string')
}

export interface UnsentEdits {
  /** Id of the message being edited. */
  open: string | null
  texts: Record<string, string>
}

export function getUnsentEditsDraft(slug: string): StoredDraft<UnsentEdits> {
  return createStoredDraft(`chat-edits-${slug}`, (value): value is UnsentEdits => {
    const texts: unknown = (value as UnsentEdits | null)?.texts
    return typeof texts === 'object' && texts !== null && Object.values(texts).every((text) => typeof text === 'string')
  })
}
