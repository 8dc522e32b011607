import { type OnNodeDrag, useStore } from '@xyflow/react'
import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { type Box, getFrameBox, type Point } from '../document/board-document.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { type CanvasTools, isSnapping, useCanvas } from './canvas-context.ts'
import { type Corner, resizeBox, snapBox } from './guides.tsx'
import { type CanvasNode, useCanvasFlow } from './use-canvas-flow.ts'

/** Distance at which a frame snaps to another one, without the grid, in screen pixels. */
const snapDistancePixels = 7

function getVisibleBoxes(actions: CanvasActions, excludedIds: ReadonlySet<string>): Box[] {
  const view = actions.getView()
  return actions.frames.flatMap((frame) => {
    const box = getFrameBox(frame)
    return overlaps(box, view) && !excludedIds.has(frame.id) ? [box] : []
  })
}

interface FrameDrag {
  gesture: string
  /** Pointer movement before the drag threshold, in canvas pixels. */
  offsetBeforeDrag: Point
  otherBoxes: Box[]
}

/** Drags frames as one undo step. `pressPoint` is where the pointer went down, in screen pixels. */
export function useDragFrames(
  { actions, guides, gridSnapping }: Pick<CanvasTools, 'actions' | 'guides' | 'gridSnapping'>,
  pressPoint: RefObject<Point>,
) {
  return useMemo(() => {
    let drag: FrameDrag | undefined
    function endDrag({ isCancelled = false } = {}) {
      if (!drag) return
      drag = undefined
      actions.cancelGesture = undefined
      guides.set([])
      actions.endGesture()
      if (!isCancelled) actions.announcePositions('moved')
    }
    const onNodeDragStart: OnNodeDrag<CanvasNode> = (event, _node, nodes) => {
      const { zoom } = actions
      const { x, y } = toScreenPoint(event)
      drag = {
        gesture: createClientId(),
        offsetBeforeDrag: { x: (x - pressPoint.current.x) / zoom, y: (y - pressPoint.current.y) / zoom },
        otherBoxes: getVisibleBoxes(actions, new Set(nodes.map(({ id }) => id))),
      }
      const { gesture } = drag
      const initialBoxes = new Map(nodes.map(({ id, data }) => [id, getFrameBox(data.frame)]))
      actions.cancelGesture = () => {
        actions.setBoxes('Move', initialBoxes, gesture)
        endDrag({ isCancelled: true })
      }
    }
    const onNodeDrag: OnNodeDrag<CanvasNode> = (event, node, nodes) => {
      // Another window may have received the release.
      if ('buttons' in event && event.buttons === 0) endDrag()
      if (!drag) return
      const { gesture, otherBoxes, offsetBeforeDrag } = drag
      const { zoom } = actions
      const toBox = ({ position: { x, y }, data: { frame } }: CanvasNode): Box => ({
        x: x + offsetBeforeDrag.x,
        y: y + offsetBeforeDrag.y,
        ...frame.data.size,
      })
      const snapping = {
        snapsToGrid: isSnapping(gridSnapping, event),
        maxDistance: snapDistancePixels / zoom,
      }
      // The dragged frame snaps; the others keep their distance to it.
      const { offset, guides: snapGuides } = snapBox(toBox(node), otherBoxes, snapping)
      const boxes = nodes.map((draggedNode) => {
        const { x, y, width, height } = toBox(draggedNode)
        return [draggedNode.id, { x: x + offset.x, y: y + offset.y, width, height }] as const
      })
      guides.set(snapGuides)
      actions.setBoxes(
        `Move ${nodes.length > 1 ? `${nodes.length} frames` : node.data.frame.data.name}`,
        new Map(boxes),
        gesture,
      )
    }
    return { onNodeDragStart, onNodeDrag, onNodeDragStop: () => endDrag() }
  }, [actions, guides, gridSnapping, pressPoint])
}

function toScreenPoint(event: MouseEvent | TouchEvent): Point {
  const { clientX, clientY } = 'touches' in event ? (event.touches[0] as Touch) : event
  return { x: clientX, y: clientY }
}

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
  const { actions, guides, gridSnapping } = useCanvas()
  const flow = useCanvasFlow()
  const drag = useRef<{ start: Point; box: Box; otherBoxes: Box[]; gesture: string }>(undefined)

  const toCanvasPoint = ({ clientX: x, clientY: y }: PointerEvent) => flow.screenToFlowPosition({ x, y })

  function handlePointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = getFrameBox(frame)
    const gesture = createClientId()
    drag.current = {
      start: toCanvasPoint(event),
      box,
      otherBoxes: getVisibleBoxes(actions, new Set([frame.id])),
      gesture,
    }
    actions.cancelGesture = () => {
      actions.setBoxes('Resize', new Map([[frame.id, box]]), gesture)
      endResize({ isCancelled: true })
    }
  }
  function handlePointerMove(event: PointerEvent<HTMLElement>, corner: Corner) {
    if (!drag.current) return
    const { start, box, otherBoxes, gesture } = drag.current
    const point = toCanvasPoint(event)
    const snapping = {
      snapsToGrid: isSnapping(gridSnapping, event),
      maxDistance: snapDistancePixels / zoom,
    }
    const resized = resizeBox(box, corner, { x: point.x - start.x, y: point.y - start.y }, otherBoxes, snapping)
    guides.set(resized.guides)
    actions.setBoxes(`Resize ${frame.data.name}`, new Map([[frame.id, resized.box]]), gesture)
  }
  function endResize({ isCancelled = false } = {}) {
    if (!drag.current) return
    drag.current = undefined
    actions.cancelGesture = undefined
    guides.set([])
    actions.endGesture()
    if (!isCancelled) actions.announcePositions('resized')
  }
  // Someone else can delete the frame during the gesture.
  const endUnfinished = useEffectEvent(() => endResize({ isCancelled: true }))
  useEffect(() => () => endUnfinished(), [])
  return (Object.keys(cornerClasses) as Corner[]).map((corner) => (
    <span
      key={corner}
      aria-hidden
      data-corner={corner}
      onPointerDown={handlePointerDown}
      onPointerMove={(event) => handlePointerMove(event, corner)}
      onLostPointerCapture={() => endResize()}
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
