import { type PointerEvent, useRef, useState } from 'react'
import { frameLimits } from '#contract/boards/boards.ts'
import { type Box, type Point, snapPoint, snapSize } from '../document/board-document.ts'
import { useCanvas } from './canvas-context.ts'
import { useCanvasFlow } from './frame-node.tsx'

/** Drags shorter than this (screen pixels) count as a click. */
const clickPixels = 6

/** Covers the canvas while a drawing tool is active: drag a box, or click for the default size. */
export function DrawLayer({ label, onDrawn }: { label: string; onDrawn: (position: Point, box?: Box) => void }) {
  const { snaps } = useCanvas()
  const flow = useCanvasFlow()
  const start = useRef<{ screen: Point; canvas: Point }>(undefined)
  const layer = useRef<HTMLDivElement>(null)
  const [drawnBox, setDrawnBox] = useState<Box>()

  const toCanvasPoint = ({ clientX, clientY }: PointerEvent) =>
    flow.screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false })

  /** In canvas pixels, snapped unless Ctrl inverts snapping. */
  function boxTo(event: PointerEvent, from: Point): Box {
    const to = toCanvasPoint(event)
    const corner = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y) }
    const drawnSize = { width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }
    if (snaps.getSnapshot() !== (event.ctrlKey || event.metaKey))
      return { ...snapPoint(corner), ...snapSize(drawnSize) }
    const { minSize: min, maxSize: max } = frameLimits
    const within = (side: 'width' | 'height') => Math.max(min[side], Math.min(max[side], Math.round(drawnSize[side])))
    return {
      x: Math.round(corner.x),
      y: Math.round(corner.y),
      width: within('width'),
      height: within('height'),
    }
  }
  const isDrag = (event: PointerEvent, { screen }: { screen: Point }) =>
    Math.hypot(event.clientX - screen.x, event.clientY - screen.y) > clickPixels

  function move(event: PointerEvent<HTMLDivElement>) {
    const from = start.current
    const bounds = layer.current?.getBoundingClientRect()
    if (!from || !bounds || !isDrag(event, from)) return
    const box = boxTo(event, from.canvas)
    const { x, y } = flow.flowToScreenPosition(box)
    const zoom = flow.getZoom()
    setDrawnBox({ x: x - bounds.left, y: y - bounds.top, width: box.width * zoom, height: box.height * zoom })
  }
  function up(event: PointerEvent<HTMLDivElement>) {
    const from = start.current
    start.current = undefined
    setDrawnBox(undefined)
    if (!from) return
    if (isDrag(event, from)) {
      const box = boxTo(event, from.canvas)
      onDrawn(box, box)
    } else onDrawn(snaps.getSnapshot() ? snapPoint(from.canvas) : from.canvas)
  }
  return (
    <div
      ref={layer}
      aria-hidden
      data-draw-layer={label}
      className="absolute inset-0 z-10 cursor-crosshair touch-none"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { screen: { x: event.clientX, y: event.clientY }, canvas: toCanvasPoint(event) }
      }}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        start.current = undefined
        setDrawnBox(undefined)
      }}
    >
      {drawnBox && (
        <div
          className="absolute rounded-[10px] border-[1.5px] border-dashed border-ring bg-ribbon-soft/60"
          style={{ left: drawnBox.x, top: drawnBox.y, width: drawnBox.width, height: drawnBox.height }}
        />
      )}
    </div>
  )
}
