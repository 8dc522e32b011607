import { type ReactNode, useEffect, useRef, useState } from 'react'
import { runWhenIdle } from '#web/ui/hooks/run-when-idle.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { ReservedHeight } from './reserved-height.tsx'

/** Includes content above the viewport, because people jump to the end of a page. */
const nearMargin = '99999px 0px 200px'
/** Unseen content is mounted after this delay, for screen readers that list headings and for find-in-page (ms). */
const mountDelayMs = 4000
/** Parts of the content load after it is mounted, so the reserved height stays this long (ms). */
const settleMs = 3000

interface WhenNearProps {
  /** Key of the stored height, which keeps the page from growing while someone scrolls. */
  name: string
  /** The usual height of the content, until one is stored. */
  initialClassName: string
  shouldMountNow?: boolean
  children: ReactNode
}

/**
 * Delays mounting content below the viewport so that the content above loads first. Scrolling near it or printing
 * mounts it immediately.
 */
export function WhenNear({ name, initialClassName, shouldMountNow = false, children }: WhenNearProps) {
  const [isNear, setNear] = useState(false)
  const [isSettled, setSettled] = useState(false)
  const placeholder = useRef<HTMLDivElement>(null)
  const isPrinting = usePrinting()
  const isMounted = isNear || shouldMountNow || isPrinting
  if (isMounted && !isNear) setNear(true)
  useEffect(() => {
    if (isMounted || !placeholder.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: nearMargin },
    )
    observer.observe(placeholder.current)
    const timer = setTimeout(() => runWhenIdle(() => setNear(true), mountDelayMs), mountDelayMs)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [isMounted])
  useEffect(() => {
    if (!isMounted) return
    const timer = setTimeout(() => setSettled(true), settleMs)
    return () => clearTimeout(timer)
  }, [isMounted])
  return (
    <ReservedHeight name={name} isLoading={!isSettled && !isPrinting} initialClassName={initialClassName}>
      {isMounted ? children : <div ref={placeholder} />}
    </ReservedHeight>
  )
}
