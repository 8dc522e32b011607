import { useStore } from '@xyflow/react'
import { type PointerEvent, useRef } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { type Box, getFrameBox, type Point } from '../document/board-document.ts'
import { useCanvas } from './canvas-context.ts'
import { useCanvasFlow } from './frame-node.tsx'
import { type Corner, resizeBox } from './guides.ts'
import { catchDistancePixels, getVisibleBoxes } from './use-drag-frames.ts'

const cornerClasses: Record<Corner, string> = {
  nw: 'top-0 left-0 cursor-nwse-resize',
  ne: 'top-0 right-0 cursor-nesw-resize',
  sw: 'bottom-0 left-0 cursor-nesw-resize',
  se: 'right-0 bottom-0 cursor-nwse-resize',
}
const cornerTransforms: Record<Corner, string> = {
  nw: 'translate(-50%, -50%)',
  ne: 'translate(50%, -50%)',
  sw: 'translate(-50%, 50%)',
  se: 'translate(50%, 50%)',
}

/** Resize handles for pointers, the same size at every zoom. Alt with arrow keys is the keyboard equivalent. */
export function ResizeCorners({ frame }: { frame: Frame }) {
  const zoom = useStore(({ transform }) => transform[2])
  const { actions, guides, snapToGrid } = useCanvas()
  const flow = useCanvasFlow()
  const drag = useRef<{ start: Point; box: Box; otherBoxes: Box[]; gesture: string }>(undefined)

  const toCanvasPoint = ({ clientX, clientY }: PointerEvent) =>
    flow.screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false })

  function handlePointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = {
      start: toCanvasPoint(event),
      box: getFrameBox(frame),
      otherBoxes: getVisibleBoxes(actions, new Set([frame.id])),
      gesture: createClientId(),
    }
  }
  function handlePointerMove(event: PointerEvent<HTMLElement>, corner: Corner) {
    if (!drag.current) return
    const { start, box, otherBoxes, gesture } = drag.current
    const point = toCanvasPoint(event)
    const snapping = {
      snapsToGrid: snapToGrid.getSnapshot() !== (event.ctrlKey || event.metaKey),
      reach: catchDistancePixels / zoom,
    }
    const resized = resizeBox(box, corner, { x: point.x - start.x, y: point.y - start.y }, otherBoxes, snapping)
    guides.set(resized.guides)
    actions.setBoxes(`Resize ${frame.data.name}`, new Map([[frame.id, resized.box]]), gesture)
  }
  function handlePointerUp() {
    if (!drag.current) return
    drag.current = undefined
    guides.set([])
    actions.endGesture()
    actions.announcePositions('resized')
  }
  return (Object.keys(cornerClasses) as Corner[]).map((corner) => (
    <span
      key={corner}
      aria-hidden
      data-corner={corner}
      onPointerDown={handlePointerDown}
      onPointerMove={(event) => handlePointerMove(event, corner)}
      onPointerUp={handlePointerUp}
      onPointerCancel={handlePointerUp}
      className={classNames(
        'nodrag absolute grid size-6 touch-none place-items-center phone:size-10',
        cornerClasses[corner],
      )}
      style={{ transform: `${cornerTransforms[corner]} scale(${1 / zoom})` }}
    >
      <span className="size-[9px] rounded-[2px] border-2 border-ring bg-card" />
    </span>
  ))
}
