import { type RefObject, useEffect, useRef } from 'react'

/**
 * Scrolls the element named by the URL into view and focuses it once it is loaded.
 * @param what its id; a new id scrolls again
 */
export function useScrollToOpened<Target extends HTMLElement>(
  id: string | number | null | undefined,
  isLoaded: boolean,
): RefObject<Target | null> {
  const elementRef = useRef<Target>(null)
  useEffect(() => {
    if (!id || !isLoaded) return
    elementRef.current?.scrollIntoView({ block: 'center' })
    elementRef.current?.focus({ preventScroll: true })
  }, [id, isLoaded])
  return elementRef
}
