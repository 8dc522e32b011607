import { type ReactNode, useEffect, useRef, useState } from 'react'
import { runWhenIdle } from '../hooks/run-when-idle.ts'
import { usePrinting } from '../hooks/use-printing.ts'

/** Content above the window counts too: people jump to the end of a page. */
const nearMargin = '99999px 0px 200px'
/** Then the content is mounted anyway, for screen readers that list headings and browsers that search the page (ms). */
const maxWaitMs = 4000

interface WhenNearProps {
  /** About the height of the content. A skeleton in its place would never stop moving. */
  placeholderClassName: string
  /** Doesn't wait for the window to come near. */
  isNeeded?: boolean
  children: ReactNode
}

/** Mounts content below the window later, so that the content above loads first: at once when someone scrolls towards it or prints. */
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
    const timer = setTimeout(() => runWhenIdle(() => setNear(true), maxWaitMs), maxWaitMs)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [isMounted])
  return isMounted ? children : <div ref={placeholder} className={placeholderClassName} />
}
