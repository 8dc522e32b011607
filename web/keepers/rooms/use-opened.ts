import { type RefObject, useEffect, useRef } from 'react'

/**
 * Scrolls the element named by the URL into view and focuses it once it is loaded.
 * @param what its id; a new id scrolls again
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
