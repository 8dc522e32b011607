import { type RefObject, useEffect } from 'react'

/**
 * The wheel moves the canvas, but scrolls content inside a selected frame first. On an embedded canvas without focus,
 * the wheel and a single finger scroll the page. Listens in the capture phase, before the canvas.
 */
export function useCanvasScrolling(surface: RefObject<HTMLElement | null>, isEmbedded: boolean): void {
  useEffect(() => {
    const { current } = surface
    if (!current) return
    const scrollsPage = () => isEmbedded && !current.contains(document.activeElement)

    function handleWheel(event: WheelEvent) {
      const { target, deltaX, deltaY, ctrlKey, metaKey } = event
      if (!(target instanceof Element)) return
      if (ctrlKey || metaKey) {
        // Over the tools, a pinch or Ctrl would zoom the page.
        if (!target.closest('.react-flow')) event.preventDefault()
        return
      }
      const node = target.closest('.react-flow__node')
      if (scrollsPage()) {
        event.stopPropagation()
        if (!node || !findScroller(target, node, event)) return
        event.preventDefault()
        scrollBy({ left: deltaX, top: deltaY, behavior: 'instant' })
      } else if (node?.matches('.selected, :focus-within') && findScroller(target, node, event)) {
        event.stopPropagation()
      }
    }

    function handleTouchStart(event: TouchEvent) {
      const { target, touches } = event
      if (!(target instanceof Element)) return
      const node = target.closest('.react-flow__node')
      if (touches.length > 1) {
        // React Flow ignores fingers on a frame, so the pane gets them.
        const pane = node && current?.querySelector('.react-flow__pane')
        if (!pane) return
        event.stopPropagation()
        pane.dispatchEvent(new TouchEvent('touchstart', toTouchInit(event)))
      } else if (
        isEmbedded &&
        (scrollsPage() || !node?.matches('.draggable') || !target.closest('[data-frame-head]'))
      ) {
        event.stopPropagation()
      }
    }

    current.addEventListener('wheel', handleWheel, { capture: true, passive: false })
    current.addEventListener('touchstart', handleTouchStart, { capture: true, passive: true })
    return () => {
      current.removeEventListener('wheel', handleWheel, { capture: true })
      current.removeEventListener('touchstart', handleTouchStart, { capture: true })
    }
  }, [surface, isEmbedded])
}

function toTouchInit({ touches, targetTouches, changedTouches, view }: TouchEvent): TouchEventInit {
  return {
    touches: [...touches],
    targetTouches: [...targetTouches],
    changedTouches: [...changedTouches],
    view,
    bubbles: true,
    cancelable: true,
  }
}

/** The innermost element from `target` up to `boundary` that can scroll in the direction of the wheel. */
function findScroller(target: Element, boundary: Element, { deltaX, deltaY }: WheelEvent): Element | undefined {
  for (let element: Element | null = target; element && element !== boundary; element = element.parentElement)
    if (canScroll(element, deltaX, deltaY)) return element
  return undefined
}

function canScroll(element: Element, deltaX: number, deltaY: number): boolean {
  const canScrollBy = (offset: number, visibleLength: number, totalLength: number, delta: number) =>
    delta < 0 ? offset > 0 : delta > 0 && offset + visibleLength < totalLength - 1
  const { scrollTop, clientHeight, scrollHeight, scrollLeft, clientWidth, scrollWidth } = element
  const canMove =
    canScrollBy(scrollTop, clientHeight, scrollHeight, deltaY) ||
    canScrollBy(scrollLeft, clientWidth, scrollWidth, deltaX)
  if (!canMove) return false
  const { overflowX, overflowY } = getComputedStyle(element)
  return [deltaY === 0 ? overflowX : overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll')
}
