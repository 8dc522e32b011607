import { useRef } from 'react'
import { newClientId } from './new-client-id.ts'

/** What was sent to be made, under which Idempotency-Key. */
export interface Creation {
  content: string
  key: string
}

/** The same as the last one where the content is, so that one thing is made of it however often it is sent. */
export function creationOf(content: unknown, last?: Creation): Creation {
  const words = JSON.stringify(content)
  return last?.content === words ? last : { content: words, key: newClientId() }
}

/** The Idempotency-Key of a create that is sent from this page; it is another one for other content. */
export function useKeyOfCreate(): (content: unknown) => string {
  const last = useRef<Creation>(undefined)
  return (content) => {
    last.current = creationOf(content, last.current)
    return last.current.key
  }
}
