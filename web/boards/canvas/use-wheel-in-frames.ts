import { type RefObject, useEffect } from 'react'

/** The wheel moves the canvas, but scrolls content inside a selected frame first. Listens in the capture phase. */
export function useWheelInFrames(surface: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = surface
    if (!current) return
    function handleWheel(event: WheelEvent) {
      const { target, deltaX, deltaY, ctrlKey, metaKey } = event
      if (ctrlKey || metaKey || !(target instanceof Element)) return
      const node = target.closest('.react-flow__node')
      if (!node?.matches('.selected, :focus-within')) return
      for (let box: Element | null = target; box && box !== node; box = box.parentElement) {
        if (!canScroll(box, deltaX, deltaY)) continue
        event.stopPropagation()
        return
      }
    }
    current.addEventListener('wheel', handleWheel, { capture: true, passive: true })
    return () => current.removeEventListener('wheel', handleWheel, { capture: true })
  }, [surface])
}

function canScroll(box: Element, deltaX: number, deltaY: number): boolean {
  const canScrollBy = (offset: number, visibleLength: number, totalLength: number, delta: number) =>
    delta < 0 ? offset > 0 : delta > 0 && offset + visibleLength < totalLength - 1
  const { scrollTop, clientHeight, scrollHeight, scrollLeft, clientWidth, scrollWidth } = box
  const canMove =
    canScrollBy(scrollTop, clientHeight, scrollHeight, deltaY) ||
    canScrollBy(scrollLeft, clientWidth, scrollWidth, deltaX)
  if (!canMove) return false
  const { overflowX, overflowY } = getComputedStyle(box)
  return [deltaY === 0 ? overflowX : overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll')
}
