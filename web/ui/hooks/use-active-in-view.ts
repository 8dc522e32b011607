import { type RefObject, useLayoutEffect } from 'react'

/** The active item comes into view near the start, so that the next ones are in reach. */
const previousPeekPx = 48

/** @param changes a value that changes when the active item moves or widens */
export function useActiveInView(scrollerRef: RefObject<HTMLElement | null>, selector: string, changes: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change moves the active item
  useLayoutEffect(() => {
    // In the next frame, when the browser computes the layout anyway.
    const frame = requestAnimationFrame(() => {
      const scroller = scrollerRef.current
      const active = scroller?.querySelector(selector)?.getBoundingClientRect()
      if (!scroller || !active) return
      const box = scroller.getBoundingClientRect()
      const isRightToLeft = getComputedStyle(scroller).direction === 'rtl'
      scroller.scrollLeft += isRightToLeft
        ? active.right - box.right + previousPeekPx
        : active.left - box.left - previousPeekPx
    })
    return () => cancelAnimationFrame(frame)
  }, [changes])
}
