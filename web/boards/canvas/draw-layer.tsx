import { type PointerEvent, useRef, useState } from 'react'
import { frameLimits } from '#contract/boards/boards.ts'
import { type Box, type Point, snapPoint, snapSize } from '../document/board-document.ts'
import { useCanvas } from './canvas-context.ts'
import { useCanvasFlow } from './frame-node.tsx'

/** Drags shorter than this (screen pixels) count as a click. */
const clickPixels = 6

/** Covers the canvas while a drawing tool is active: drag a box, or click for the default size. */
export function DrawLayer({ label, onDrawn }: { label: string; onDrawn: (place: Point, box?: Box) => void }) {
  const { snaps } = useCanvas()
  const flow = useCanvasFlow()
  const start = useRef<{ screen: Point; canvas: Point }>(undefined)
  const layer = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Box>()

  const pointOf = ({ clientX, clientY }: PointerEvent) =>
    flow.screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false })

  /** In canvas pixels, snapped unless Ctrl inverts snapping. */
  function boxTo(event: PointerEvent, from: Point): Box {
    const to = pointOf(event)
    const corner = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y) }
    const pulled = { width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }
    if (snaps.seen() !== (event.ctrlKey || event.metaKey)) return { ...snapPoint(corner), ...snapSize(pulled) }
    const { least, most } = frameLimits
    const within = (side: 'width' | 'height') => Math.max(least[side], Math.min(most[side], Math.round(pulled[side])))
    return {
      x: Math.round(corner.x),
      y: Math.round(corner.y),
      width: within('width'),
      height: within('height'),
    }
  }
  const isPull = (event: PointerEvent, { screen }: { screen: Point }) =>
    Math.hypot(event.clientX - screen.x, event.clientY - screen.y) > clickPixels

  function move(event: PointerEvent<HTMLDivElement>) {
    const from = start.current
    const bounds = layer.current?.getBoundingClientRect()
    if (!from || !bounds || !isPull(event, from)) return
    const box = boxTo(event, from.canvas)
    const { x, y } = flow.flowToScreenPosition(box)
    const zoom = flow.getZoom()
    setShown({ x: x - bounds.left, y: y - bounds.top, width: box.width * zoom, height: box.height * zoom })
  }
  function up(event: PointerEvent<HTMLDivElement>) {
    const from = start.current
    start.current = undefined
    setShown(undefined)
    if (!from) return
    if (isPull(event, from)) {
      const box = boxTo(event, from.canvas)
      onDrawn(box, box)
    } else onDrawn(snaps.seen() ? snapPoint(from.canvas) : from.canvas)
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
        start.current = { screen: { x: event.clientX, y: event.clientY }, canvas: pointOf(event) }
      }}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        start.current = undefined
        setShown(undefined)
      }}
    >
      {shown && (
        <div
          className="absolute rounded-[10px] border-[1.5px] border-dashed border-ring bg-ribbon-soft/60"
          style={{ left: shown.x, top: shown.y, width: shown.width, height: shown.height }}
        />
      )}
    </div>
  )
}
