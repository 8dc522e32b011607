import { useRef } from 'react'

/** 32 hex characters, as the server accepts for new entities. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Keeps the id, unless the draft was restored: changed text needs a new one, as the original may have been sent. */
export function getDraftId({ value, restored }: { value: { id: string }; restored: boolean }): string {
  return (!restored && value.id) || createClientId()
}

/** Returns the same key while the content is unchanged, so that retries create one entity. */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' })
  return (content) => {
    const serialized = JSON.stringify(content)
    if (last.current.content !== serialized) last.current = { content: serialized, key: createClientId() }
    return last.current.key
  }
}
