import type { ReactFlowInstance } from '@xyflow/react'
import { type RefObject, useMemo } from 'react'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import type { BoardEditor } from '../document/board-editor.ts'
import { CanvasActions } from './canvas-actions.ts'
import { ObservableValue, StaggeredMount } from './canvas-context.ts'
import type { Guide } from './guides.tsx'
import type { CanvasNode } from './use-canvas-flow.ts'

interface CanvasPartsOptions {
  editor: BoardEditor
  flow: ReactFlowInstance<CanvasNode>
  surface: RefObject<HTMLElement | null>
  liveRegion: RefObject<HTMLElement | null>
  /** Must be stable. */
  onNotAdded: (reason: string) => void
}

/** Shared by all boards. */
const gridSnapping = new ObservableValue(true)

export function useCanvasParts({ editor, flow, surface, liveRegion, onNotAdded }: CanvasPartsOptions) {
  return useMemo(() => {
    const announce = (text: string) => {
      if (liveRegion.current) liveRegion.current.textContent = text
    }
    const actions = new CanvasActions(editor, {
      flow,
      getScreenBox: () => surface.current?.getBoundingClientRect() ?? new DOMRect(),
      announce,
      showProblem: (reason) => {
        announce(reason)
        void showToast(reason)
      },
      onNotAdded,
      shouldAnimate: () => !matchMedia('(prefers-reduced-motion: reduce)').matches,
    })
    return {
      actions,
      staggeredMount: new StaggeredMount(),
      guides: new ObservableValue<readonly Guide[]>([]),
      gridSnapping,
    }
  }, [editor, flow, surface, liveRegion, onNotAdded])
}
