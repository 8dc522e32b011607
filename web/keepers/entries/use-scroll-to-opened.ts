import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls and focuses once the element is loaded; a new id scrolls again. */
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
