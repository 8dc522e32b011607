import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { gridSpacing } from '#contract/boards/boards.ts'

/** Pixels of the screen that dots keep between them. */
const closest = 12

/** Pixels between dots: every second, fourth … one from afar. */
function dotSpacing(zoom: number): number {
  let spacing = gridSpacing * zoom
  while (spacing < closest) spacing *= 2
  return spacing
}

/**
 * The dots of the grid, wider than the window by one spacing, so that panning only shifts them: painted anew when zoomed,
 * never while panned.
 */
export function CanvasGrid() {
  const store = useStoreApi()
  const dots = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let shown = 0
    function follow() {
      const { style } = dots.current ?? {}
      if (!style) return
      const [x, y, zoom] = store.getState().transform
      const spacing = dotSpacing(zoom)
      if (zoom !== shown) {
        shown = zoom
        style.inset = `${-spacing}px`
        style.backgroundSize = `${spacing}px ${spacing}px`
        // A dot lies in the middle of its tile; its place is the corner of four.
        style.backgroundPosition = `${spacing / 2}px ${spacing / 2}px`
      }
      style.transform = `translate3d(${x % spacing}px, ${y % spacing}px, 0)`
    }
    follow()
    return store.subscribe(follow)
  }, [store])
  return <div ref={dots} aria-hidden data-grid className="canvas-dots pointer-events-none absolute" />
}
