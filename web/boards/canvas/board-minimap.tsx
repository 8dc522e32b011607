import { useStoreApi } from '@xyflow/react'
import { type PointerEvent, useEffect, useMemo, useRef } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { type Box, getBoundingBox, getFrameBox } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { useCanvas } from './canvas-context.ts'
import { useCanvasFlow } from './frame-node.tsx'

const width = 180
const height = 120
/** Margin around all frames, in canvas pixels. */
const margin = 200

interface MinimapScale {
  left: number
  top: number
  perPixel: number
}

function getMinimapScale(frames: readonly Frame[]): MinimapScale {
  const bounds: Box = getBoundingBox(frames) ?? { x: 0, y: 0, width: 1000, height: 700 }
  const perPixel = Math.max((bounds.width + 2 * margin) / width, (bounds.height + 2 * margin) / height)
  return {
    left: bounds.x + bounds.width / 2 - (perPixel * width) / 2,
    top: bounds.y + bounds.height / 2 - (perPixel * height) / 2,
    perPixel,
  }
}

/** Redraws only when frames change; panning just moves the viewport box. Dragging moves the view. */
export function BoardMinimap() {
  const frames = useBoard(({ document }) => document.frames)
  const selection = useBoard((state) => state.selection)
  const scale = useMemo(() => getMinimapScale(frames), [frames])
  const sheet = useRef<HTMLCanvasElement>(null)
  const windowBox = useRef<HTMLDivElement>(null)
  const store = useStoreApi()
  const flow = useCanvasFlow()
  const { actions } = useCanvas()

  useEffect(() => {
    const drawing = sheet.current?.getContext('2d')
    if (!drawing || !sheet.current) return
    const density = Math.min(2, devicePixelRatio)
    sheet.current.width = width * density
    sheet.current.height = height * density
    drawing.scale(density, density)
    const colours = getComputedStyle(sheet.current)
    for (const frame of frames) {
      const box = getFrameBox(frame)
      drawing.fillStyle = colours.getPropertyValue(selection.has(frame.id) ? '--k-ring' : '--k-input')
      drawing.fillRect(
        (box.x - scale.left) / scale.perPixel,
        (box.y - scale.top) / scale.perPixel,
        Math.max(2, box.width / scale.perPixel),
        Math.max(2, box.height / scale.perPixel),
      )
    }
  }, [frames, selection, scale])

  useEffect(() => {
    let appliedSize = ''
    function follow() {
      const { style } = windowBox.current ?? {}
      if (!style) return
      const { transform, width: screenWidth, height: screenHeight } = store.getState()
      const [x, y, zoom] = transform
      const size = [screenWidth, screenHeight].map((pixels) => `${pixels / zoom / scale.perPixel}px`)
      // Changing sizes causes layout, so they are only set when they differ.
      if (appliedSize !== size.join(' ')) {
        appliedSize = size.join(' ')
        ;[style.width = '', style.height = ''] = size
      }
      style.transform = `translate(${(-x / zoom - scale.left) / scale.perPixel}px, ${(-y / zoom - scale.top) / scale.perPixel}px)`
    }
    follow()
    return store.subscribe(follow)
  }, [store, scale])

  function go(event: PointerEvent<HTMLDivElement>) {
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
        go(event)
      }}
      onPointerMove={go}
      className="absolute bottom-[18px] left-[18px] z-10 touch-none overflow-hidden rounded-md border border-border bg-popover shadow-e1 phone:hidden"
      style={{ width, height }}
    >
      <canvas ref={sheet} className="size-full" />
      <div
        ref={windowBox}
        className="pointer-events-none absolute top-0 left-0 rounded-[2px] border border-ring bg-ribbon-soft/40"
      />
    </div>
  )
}
