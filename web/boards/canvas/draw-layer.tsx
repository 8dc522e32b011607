import { type PointerEvent, useRef, useState } from 'react'
import { type Box, type Point, roundSize, snapPoint, snapSize } from '../document/board-document.ts'
import { isSnapping, useCanvas } from './canvas-context.ts'
import { useCanvasFlow } from './use-canvas-flow.ts'

/** Drags shorter than this (screen pixels) count as a click. */
const dragThresholdPixels = 6

/** Covers the canvas while a drawing tool is active: drag a box, or click for the default size. */
export function DrawLayer({ label, onDrawn }: { label: string; onDrawn: (position: Point, box?: Box) => void }) {
  const { gridSnapping } = useCanvas()
  const flow = useCanvasFlow()
  const pressRef = useRef<{ screen: Point; canvas: Point }>(undefined)
  const layer = useRef<HTMLDivElement>(null)
  const [drawnBox, setDrawnBox] = useState<Box>()

  const toCanvasPoint = ({ clientX: x, clientY: y }: PointerEvent) => flow.screenToFlowPosition({ x, y })

  /** In canvas pixels, snapped unless Ctrl inverts snapping. */
  function getDrawnBox(event: PointerEvent, origin: Point): Box {
    const target = toCanvasPoint(event)
    const corner = { x: Math.min(origin.x, target.x), y: Math.min(origin.y, target.y) }
    const drawnSize = { width: Math.abs(target.x - origin.x), height: Math.abs(target.y - origin.y) }
    if (isSnapping(gridSnapping, event)) return { ...snapPoint(corner), ...snapSize(drawnSize) }
    return { x: Math.round(corner.x), y: Math.round(corner.y), ...roundSize(drawnSize) }
  }
  const isDrag = (event: PointerEvent, { screen }: { screen: Point }) =>
    Math.hypot(event.clientX - screen.x, event.clientY - screen.y) > dragThresholdPixels

  function handlePointerMove(event: PointerEvent<HTMLDivElement>) {
    const origin = pressRef.current
    const bounds = layer.current?.getBoundingClientRect()
    if (!origin || !bounds || !isDrag(event, origin)) return
    const box = getDrawnBox(event, origin.canvas)
    const { x, y } = flow.flowToScreenPosition(box)
    const zoom = flow.getZoom()
    setDrawnBox({ x: x - bounds.left, y: y - bounds.top, width: box.width * zoom, height: box.height * zoom })
  }
  function handlePointerUp(event: PointerEvent<HTMLDivElement>) {
    const origin = pressRef.current
    pressRef.current = undefined
    setDrawnBox(undefined)
    if (!origin) return
    if (isDrag(event, origin)) {
      const box = getDrawnBox(event, origin.canvas)
      onDrawn(box, box)
    } else onDrawn(gridSnapping.getSnapshot() ? snapPoint(origin.canvas) : origin.canvas)
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
        pressRef.current = { screen: { x: event.clientX, y: event.clientY }, canvas: toCanvasPoint(event) }
      }}
      onPointerMove={handlePointerMove}
      onPointerUp={handlePointerUp}
      onPointerCancel={() => {
        pressRef.current = undefined
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
