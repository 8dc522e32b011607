import { useStore, ViewportPortal } from '@xyflow/react'
import { type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { frameTypes } from '#contract/boards/frame-types.ts'
import { type Point, snapPoint } from '../document/board-document.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'
import type { CanvasActions } from './canvas-actions.ts'
import { type ObservableValue, useCanvas, useObservable } from './canvas-context.ts'
import { activeDropStage, type DropStage, isOver, type LibraryDrag, libraryDrag } from './library-drag.ts'
import { useCanvasFlow } from './use-canvas-flow.ts'

/** Position of a dropped library frame, centered under the pointer. */
function getDropPosition(
  { frameType, x, y, isSnapInverted }: LibraryDrag,
  toCanvas: (point: Point) => Point,
  gridSnapping: ObservableValue<boolean>,
): Point {
  const { width, height } = frameTypes[frameType].size
  const center = toCanvas({ x, y })
  const corner = { x: Math.round(center.x - width / 2), y: Math.round(center.y - height / 2) }
  return gridSnapping.getSnapshot() !== isSnapInverted ? snapPoint(corner) : corner
}

export function DropTarget({ dropStage }: { dropStage: DropStage | null }) {
  const drag = useObservable(libraryDrag)
  const { gridSnapping } = useCanvas()
  const flow = useCanvasFlow()
  const zoom = useStore(({ transform }) => transform[2])
  if (!drag) return null
  const { name, icon, size } = frameTypes[drag.frameType]
  const position =
    dropStage && isOver(dropStage, drag) ? getDropPosition(drag, flow.screenToFlowPosition, gridSnapping) : undefined
  return (
    <>
      {position && (
        <>
          <div
            aria-hidden
            className="pointer-events-none absolute inset-1 z-10 rounded-lg border-2 border-dashed border-ring/60"
          />
          <ViewportPortal>
            <div
              data-drop-target
              className="pointer-events-none absolute grid place-items-center rounded-[10px] border-[1.5px] border-dashed border-ring bg-ribbon-soft/60 font-label text-ribbon-text"
              style={{
                transform: `translate(${position.x}px, ${position.y}px)`,
                ...size,
                borderWidth: 1.5 / zoom,
                fontSize: 12 / zoom,
              }}
            >
              Drop here
            </div>
          </ViewportPortal>
        </>
      )}
      {createPortal(
        <div
          aria-hidden
          data-drag-ghost
          className="pointer-events-none fixed top-0 left-0 z-[70] flex items-center gap-2 rounded-md border border-ring bg-popover px-3.5 py-2 text-ui font-semibold shadow-e3"
          style={{ transform: `translate(${drag.x - 14}px, ${drag.y - 18}px) rotate(-2deg)` }}
        >
          <FrameIcon name={icon} size={14} />
          {name}
        </div>,
        document.body,
      )}
    </>
  )
}

interface DropStageOptions {
  surface: RefObject<HTMLElement | null>
  actions: CanvasActions
  canEdit: boolean
  gridSnapping: ObservableValue<boolean>
}

/** Registers the canvas as drop target while it is editable. */
export function useDropStage({ surface, actions, canEdit, gridSnapping }: DropStageOptions): DropStage | null {
  const flow = useCanvasFlow()
  const [dropStage, setDropStage] = useState<DropStage | null>(null)
  useEffect(() => {
    const { current: element } = surface
    if (!element || !canEdit) return
    const newStage: DropStage = {
      element,
      add: (frameType) => void actions.add(frameType),
      findSpot: (frameType) => actions.findSpotInView(frameTypes[frameType].size),
      scrollIntoView: (frame) => actions.scrollIntoView(frame),
      drop: (drag) => {
        const position = getDropPosition(drag, flow.screenToFlowPosition, gridSnapping)
        actions.add(drag.frameType, { position })
      },
    }
    activeDropStage.set(newStage)
    setDropStage(newStage)
    return () => {
      if (activeDropStage.getSnapshot() === newStage) activeDropStage.set(null)
      setDropStage(null)
    }
  }, [surface, actions, canEdit, gridSnapping, flow])
  return dropStage
}
