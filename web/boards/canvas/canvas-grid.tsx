import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { gridSpacing } from '#contract/boards/boards.ts'

/** Minimum distance between dots, in screen pixels. */
const minSpacing = 12

function getDotSpacing(zoom: number): number {
  let spacing = gridSpacing * zoom
  while (spacing < minSpacing) spacing *= 2
  return spacing
}

/** One spacing wider than the window, so that panning only translates it; repainted only on zoom. */
export function CanvasGrid() {
  const store = useStoreApi()
  const dots = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let appliedZoom = 0
    function updateGrid() {
      const { style } = dots.current ?? {}
      if (!style) return
      const [x, y, zoom] = store.getState().transform
      const spacing = getDotSpacing(zoom)
      if (zoom !== appliedZoom) {
        appliedZoom = zoom
        style.inset = `${-spacing}px`
        style.backgroundSize = `${spacing}px ${spacing}px`
        // A dot is centered in its tile but marks the corner of 4 grid cells.
        style.backgroundPosition = `${spacing / 2}px ${spacing / 2}px`
      }
      style.transform = `translate3d(${x % spacing}px, ${y % spacing}px, 0)`
    }
    updateGrid()
    return store.subscribe(updateGrid)
  }, [store])
  return <div ref={dots} aria-hidden data-grid className="canvas-dots pointer-events-none absolute" />
}
