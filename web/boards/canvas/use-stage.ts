import { type RefObject, useEffect, useState } from 'react'
import { frameTypes } from '#contract/boards/frame-types.ts'
import type { CanvasActions } from './canvas-actions.ts'
import { dropPlace } from './drop-target.tsx'
import { useCanvasFlow } from './frame-node.tsx'
import { type Stage, stage } from './library-drag.ts'
import type { SeenValue } from './seen-value.ts'

interface Options {
  surface: RefObject<HTMLElement | null>
  actions: CanvasActions
  canEdit: boolean
  snaps: SeenValue<boolean>
}

/** Registers the canvas as drop target while it is editable. */
export function useStage({ surface, actions, canEdit, snaps }: Options): Stage | null {
  const flow = useCanvasFlow()
  const [here, setHere] = useState<Stage | null>(null)
  useEffect(() => {
    const { current: element } = surface
    if (!element || !canEdit) return
    const own: Stage = {
      element,
      add: (frameType) => void actions.add(frameType),
      spotFor: (frameType) => actions.spotInView(frameTypes[frameType].size),
      bringIn: (frame) => actions.bringIn(frame),
      drop: (drag) => {
        const toCanvas = (point: { x: number; y: number }) => flow.screenToFlowPosition(point, { snapToGrid: false })
        actions.add(drag.frameType, { position: dropPlace(drag, toCanvas, snaps) })
      },
    }
    stage.set(own)
    setHere(own)
    return () => {
      if (stage.seen() === own) stage.set(null)
      setHere(null)
    }
  }, [surface, actions, canEdit, snaps, flow])
  return here
}
