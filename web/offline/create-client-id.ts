import { useRef } from 'react'

/** 32 hex characters, as the server accepts for new entities. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A changed restored draft gets a new id, because the original may already have been sent. */
export function getDraftId({ value, restored }: { value: { id: string }; restored: boolean }): string {
  return (!restored && value.id) || createClientId()
}

export interface Creation {
  content: string
  key: string
}

/** Reuses the idempotency key for unchanged content, so that retries create one entity. */
export function getCreation(content: unknown, last?: Creation): Creation {
  const serialized = JSON.stringify(content)
  return last?.content === serialized ? last : { content: serialized, key: createClientId() }
}

export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef<Creation>(undefined)
  return (content) => {
    last.current = getCreation(content, last.current)
    return last.current.key
  }
}
