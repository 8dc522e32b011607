import { type RefObject, useEffect, useRef } from 'react'

/**
 * What an address names is brought into sight and has the focus, once it is there.
 * @param what its id; another one is another thing to bring
 */
export function useOpened<Shown extends HTMLElement>(
  what: string | number | null | undefined,
  isThere: boolean,
): RefObject<Shown | null> {
  const place = useRef<Shown>(null)
  useEffect(() => {
    if (!what || !isThere) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.focus({ preventScroll: true })
  }, [what, isThere])
  return place
}
