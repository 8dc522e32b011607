import { chatKeyPrefix } from '#web/api-token.ts'
import { type KeptDraft, keptDraft } from '../form/kept-draft.ts'

const keyFor = (slug: string) => `${chatKeyPrefix}${slug}`

/** Which session this browser last had with an agent. */
export function rememberedSession(slug: string): string | undefined {
  try {
    return localStorage.getItem(keyFor(slug)) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberSession(slug: string, sessionId: string | null): void {
  try {
    if (sessionId) localStorage.setItem(keyFor(slug), sessionId)
    else localStorage.removeItem(keyFor(slug))
  } catch {}
}

/** Words written and not yet taken by the server. */
export function unsentWords(slug: string): KeptDraft<string> {
  return keptDraft(`chat-${slug}`, (value) => typeof value === 'string')
}

export interface UnsentEdit {
  messageId: string
  text: string
}

/** A question being put another way, until the server has it. */
export function unsentEdit(slug: string): KeptDraft<UnsentEdit> {
  return keptDraft(
    `chat-edit-${slug}`,
    (value): value is UnsentEdit => typeof (value as UnsentEdit | null)?.text === 'string',
  )
}
