import { chatKeyPrefix } from '#web/api-token.ts'
import { type KeptDraft, keptDraft } from '../form/kept-draft.ts'

/** A visitor's session is none of the person who signs in later, nor the other way round; no slug has a slash. */
const keyFor = (slug: string, signedIn: boolean) => `${chatKeyPrefix}${signedIn ? '' : 'visitor/'}${slug}`

/** Which session this browser last had with an agent. */
export function rememberedSession(slug: string, signedIn: boolean): string | undefined {
  try {
    return localStorage.getItem(keyFor(slug, signedIn)) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberSession(slug: string, signedIn: boolean, sessionId: string | null): void {
  try {
    if (sessionId) localStorage.setItem(keyFor(slug, signedIn), sessionId)
    else localStorage.removeItem(keyFor(slug, signedIn))
  } catch {}
}

/** Words written and not yet taken by the server. */
export function unsentWords(slug: string): KeptDraft<string> {
  return keptDraft(`chat-${slug}`, (value) => typeof value === 'string')
}

export interface UnsentEdits {
  /** The message whose words are in sight. */
  open: string | null
  /** By message. */
  texts: Record<string, string>
}

/** Questions being put another way, until the server has them. */
export function unsentEdits(slug: string): KeptDraft<UnsentEdits> {
  return keptDraft(`chat-edits-${slug}`, (value): value is UnsentEdits => {
    const texts: unknown = (value as UnsentEdits | null)?.texts
    return typeof texts === 'object' && texts !== null && Object.values(texts).every((text) => typeof text === 'string')
  })
}
