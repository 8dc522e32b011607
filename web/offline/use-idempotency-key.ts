import { useRef } from 'react'
import { createClientId } from './create-client-id.ts'

export interface Creation {
  content: string
  key: string
}

/** Reuses the key for unchanged content, so that retries create one entity. */
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
