import type { OnNodeDrag } from '@xyflow/react'
import { type RefObject, useMemo } from 'react'
import { createClientId } from '#web/offline/create-client-id.ts'
import { type Box, getFrameBox, type Point } from '../document/board-document.ts'
import type { CanvasActions } from './canvas-actions.ts'
import type { CanvasTools } from './canvas-context.ts'
import type { CanvasNode } from './canvas-nodes.ts'
import { snapBox } from './guides.ts'

/** Distance at which a frame snaps to another one, without the grid, in screen pixels. */
export const catchDistancePixels = 7

export function getVisibleBoxes(actions: CanvasActions, excludedIds: ReadonlySet<string>): Box[] {
  const view = actions.getView()
  return actions.frames.flatMap((frame) => {
    const box = getFrameBox(frame)
    const isVisible =
      box.x < view.x + view.width &&
      view.x < box.x + box.width &&
      box.y < view.y + view.height &&
      view.y < box.y + box.height
    return isVisible && !excludedIds.has(frame.id) ? [box] : []
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
  { actions, guides, snapToGrid }: Pick<CanvasTools, 'actions' | 'guides' | 'snapToGrid'>,
  pressPoint: RefObject<Point>,
) {
  return useMemo(() => {
    let drag: FrameDrag | undefined
    const onNodeDragStart: OnNodeDrag<CanvasNode> = (event, _node, nodes) => {
      const { zoom } = actions
      const { x, y } = toScreenPoint(event)
      drag = {
        gesture: createClientId(),
        offsetBeforeDrag: { x: (x - pressPoint.current.x) / zoom, y: (y - pressPoint.current.y) / zoom },
        otherBoxes: getVisibleBoxes(actions, new Set(nodes.map(({ id }) => id))),
      }
    }
    const onNodeDrag: OnNodeDrag<CanvasNode> = (event, node, nodes) => {
      if (!drag) return
      const { gesture, otherBoxes, offsetBeforeDrag } = drag
      const { zoom } = actions
      const toBox = ({ position: { x, y }, data: { frame } }: CanvasNode): Box => ({
        x: x + offsetBeforeDrag.x,
        y: y + offsetBeforeDrag.y,
        ...frame.data.size,
      })
      const snapping = {
        snapsToGrid: snapToGrid.getSnapshot() !== (event.ctrlKey || event.metaKey),
        reach: catchDistancePixels / zoom,
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
    const onNodeDragStop: OnNodeDrag<CanvasNode> = () => {
      if (!drag) return
      drag = undefined
      guides.set([])
      actions.endGesture()
      actions.announcePositions('moved')
    }
    return { onNodeDragStart, onNodeDrag, onNodeDragStop }
  }, [actions, guides, snapToGrid, pressPoint])
}

function toScreenPoint(event: MouseEvent | TouchEvent): Point {
  const { clientX, clientY } = 'touches' in event ? (event.touches[0] as Touch) : event
  return { x: clientX, y: clientY }
}
