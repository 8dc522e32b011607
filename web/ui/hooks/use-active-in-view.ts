import { type RefObject, useLayoutEffect } from 'react'

/** The active item comes into view near the start, so that the next ones are in reach. */
const previousPeekPx = 48

/** @param changes whatever moves or widens the active item */
export function useActiveInView(lineRef: RefObject<HTMLElement | null>, selector: string, changes: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change moves the active item
  useLayoutEffect(() => {
    const line = lineRef.current
    const active = line?.querySelector(selector)?.getBoundingClientRect()
    if (!line || !active) return
    const box = line.getBoundingClientRect()
    const isRightToLeft = getComputedStyle(line).direction === 'rtl'
    line.scrollLeft += isRightToLeft
      ? active.right - box.right + previousPeekPx
      : active.left - box.left - previousPeekPx
  }, [changes])
}
