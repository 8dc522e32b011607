import { type RefObject, useEffect, useState } from 'react'
import { frameTypes } from '#contract/boards/frame-types.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { getDropPosition } from './drop-target.tsx'
import { useCanvasFlow } from './frame-node.tsx'
import { activeDropStage, type DropStage } from './library-drag.ts'
import type { ObservableValue } from './observable-value.ts'

interface DropStageOptions {
  surface: RefObject<HTMLElement | null>
  actions: CanvasActions
  canEdit: boolean
  snapToGrid: ObservableValue<boolean>
}

/** Registers the canvas as drop target while it is editable. */
export function useDropStage({ surface, actions, canEdit, snapToGrid }: DropStageOptions): DropStage | null {
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
        const toCanvas = (point: { x: number; y: number }) => flow.screenToFlowPosition(point, { snapToGrid: false })
        actions.add(drag.frameType, { position: getDropPosition(drag, toCanvas, snapToGrid) })
      },
    }
    activeDropStage.set(newStage)
    setDropStage(newStage)
    return () => {
      if (activeDropStage.getSnapshot() === newStage) activeDropStage.set(null)
      setDropStage(null)
    }
  }, [surface, actions, canEdit, snapToGrid, flow])
  return dropStage
}
