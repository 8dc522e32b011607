import { useRef } from 'react'
import { newClientId } from './new-client-id.ts'

/** A create request and its idempotency key. */
export interface Creation {
  content: string
  key: string
}

/** Reuses the key for unchanged content, so that retries create one entity. */
export function creationOf(content: unknown, last?: Creation): Creation {
  const words = JSON.stringify(content)
  return last?.content === words ? last : { content: words, key: newClientId() }
}

/** Idempotency key for a create from this page, per content. */
export function useKeyOfCreate(): (content: unknown) => string {
  const last = useRef<Creation>(undefined)
  return (content) => {
    last.current = creationOf(content, last.current)
    return last.current.key
  }
}
