import { type ReactNode, useEffect, useRef, useState } from 'react'
import { runWhenIdle } from '../hooks/run-when-idle.ts'
import { usePrinting } from '../hooks/use-printing.ts'

/** Includes content above the viewport, because people jump to the end of a page. */
const nearMargin = '99999px 0px 200px'
/** Unseen content is mounted after this delay, for screen readers that list headings and for find-in-page (ms). */
const mountDelayMs = 4000

interface WhenNearProps {
  /** Roughly the content's height. Empty, because an animated skeleton would run until someone scrolls down. */
  placeholderClassName: string
  /** Mounts the content immediately. */
  isNeeded?: boolean
  children: ReactNode
}

/**
 * Delays mounting content below the viewport so that the content above loads first. Scrolling near it or printing
 * mounts it immediately.
 */
export function WhenNear({ placeholderClassName, isNeeded = false, children }: WhenNearProps) {
  const [isNear, setNear] = useState(false)
  const placeholder = useRef<HTMLDivElement>(null)
  const isPrinting = usePrinting()
  const isMounted = isNear || isNeeded || isPrinting
  if (isMounted && !isNear) setNear(true)
  useEffect(() => {
    if (isMounted || !placeholder.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: nearMargin },
    )
    observer.observe(placeholder.current)
    const timer = setTimeout(() => runWhenIdle(() => setNear(true), mountDelayMs), mountDelayMs)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [isMounted])
  return isMounted ? children : <div ref={placeholder} className={placeholderClassName} />
}
