import { useRef } from 'react'
import { newClientId } from './new-client-id.ts'

/** The Idempotency-Key of a create: one thing is made of the same content, however often it is sent from this page. */
export function useKeyOfCreate(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' })
  return (content) => {
    const words = JSON.stringify(content)
    if (last.current.content !== words) last.current = { content: words, key: newClientId() }
    return last.current.key
  }
}
