import { useStoreApi } from '@xyflow/react'
import { type PointerEvent, useEffect, useMemo, useRef } from 'react'
import { type Box, containsBox, getBoundingBox, getFrameBox } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { useCanvas } from './canvas-context.ts'
import { useCanvasFlow } from './use-canvas-flow.ts'

const minimapWidth = 180
const minimapHeight = 120
/** Margin around all frames, in canvas pixels. */
const boundsMargin = 200
const emptyBoardBounds: Box = { x: 0, y: 0, width: 1000, height: 700 }
/** A denser bitmap costs memory without looking sharper. */
const maxPixelDensity = 2

interface MinimapScale {
  left: number
  top: number
  /** Canvas pixels per minimap pixel. */
  perPixel: number
}

function getMinimapScale(bounds = emptyBoardBounds): MinimapScale {
  const perPixel = Math.max(
    (bounds.width + 2 * boundsMargin) / minimapWidth,
    (bounds.height + 2 * boundsMargin) / minimapHeight,
  )
  return {
    left: bounds.x + bounds.width / 2 - (perPixel * minimapWidth) / 2,
    top: bounds.y + bounds.height / 2 - (perPixel * minimapHeight) / 2,
    perPixel,
  }
}

/**
 * Redraws only when frames change; panning just moves the viewport box. Dragging moves the view. Hidden while all
 * frames are in view.
 */
export function BoardMinimap() {
  const frames = useBoard(({ document }) => document.frames)
  const selection = useBoard((state) => state.selection)
  const bounds = useMemo(() => getBoundingBox(frames), [frames])
  const scale = useMemo(() => getMinimapScale(bounds), [bounds])
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const viewportBox = useRef<HTMLDivElement>(null)
  const store = useStoreApi()
  const flow = useCanvasFlow()
  const { actions } = useCanvas()

  useEffect(() => {
    const context = canvasRef.current?.getContext('2d')
    if (!context || !canvasRef.current) return
    const density = Math.min(maxPixelDensity, devicePixelRatio)
    canvasRef.current.width = minimapWidth * density
    canvasRef.current.height = minimapHeight * density
    context.scale(density, density)
    const style = getComputedStyle(canvasRef.current)
    for (const frame of frames) {
      const box = getFrameBox(frame)
      context.fillStyle = style.getPropertyValue(selection.has(frame.id) ? '--k-ring' : '--k-input')
      context.fillRect(
        (box.x - scale.left) / scale.perPixel,
        (box.y - scale.top) / scale.perPixel,
        Math.max(2, box.width / scale.perPixel),
        Math.max(2, box.height / scale.perPixel),
      )
    }
  }, [frames, selection, scale])

  useEffect(() => {
    let appliedSize = ''
    function updateViewportBox() {
      const { style, parentElement } = viewportBox.current ?? {}
      if (!style) return
      const { transform, width: screenWidth, height: screenHeight } = store.getState()
      const [x, y, zoom] = transform
      const view = { x: -x / zoom, y: -y / zoom, width: screenWidth / zoom, height: screenHeight / zoom }
      parentElement?.toggleAttribute('data-whole', !bounds || containsBox(view, bounds))
      const width = `${view.width / scale.perPixel}px`
      const height = `${view.height / scale.perPixel}px`
      // Changing sizes causes layout, so they are only set when they differ.
      if (appliedSize !== `${width} ${height}`) {
        appliedSize = `${width} ${height}`
        style.width = width
        style.height = height
      }
      style.transform = `translate(${(view.x - scale.left) / scale.perPixel}px, ${(view.y - scale.top) / scale.perPixel}px)`
    }
    updateViewportBox()
    return store.subscribe(updateViewportBox)
  }, [store, scale, bounds])

  function centerView(event: PointerEvent<HTMLDivElement>) {
    if (event.buttons === 0) return
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const x = scale.left + (event.clientX - left) * scale.perPixel
    const y = scale.top + (event.clientY - top) * scale.perPixel
    void flow.setCenter(x, y, { zoom: actions.zoom })
  }
  return (
    <div
      aria-hidden
      data-minimap
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        centerView(event)
      }}
      onPointerMove={centerView}
      className="absolute bottom-[18px] left-[18px] z-10 touch-none overflow-hidden rounded-md border border-border bg-popover shadow-e1 transition-opacity data-whole:pointer-events-none data-whole:opacity-0 phone:hidden"
      style={{ width: minimapWidth, height: minimapHeight }}
    >
      <canvas ref={canvasRef} className="size-full" />
      <div
        ref={viewportBox}
        className="pointer-events-none absolute top-0 left-0 rounded-[2px] border border-ring bg-ribbon-soft/40"
      />
    </div>
  )
}
