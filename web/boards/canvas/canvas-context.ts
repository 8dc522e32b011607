import { createContext, use } from 'react'
import type { FrameContext } from '../frames/frame-bodies.ts'
import type { CanvasActions } from './canvas-actions.ts'
import type { Guide } from './guides.ts'
import type { ObservableValue } from './observable-value.ts'
import type { StaggeredMount } from './staggered-mount.ts'

export interface CanvasTools {
  actions: CanvasActions
  frameContext: FrameContext
  staggeredMount: StaggeredMount
  canEdit: boolean
  /** Whether frames can be moved, resized and reordered, as the board's layout setting allows. */
  canArrange: boolean
  /** Alignment guides during a move. */
  guides: ObservableValue<readonly Guide[]>
  /** Whether snapping is on; Ctrl inverts it. */
  snapToGrid: ObservableValue<boolean>
  changeContent: (id: string, changes: Record<string, unknown>, gesture?: string) => void
  openSettings: (id: string) => void
}

export const CanvasContext = createContext<CanvasTools | null>(null)
/** Zoomed out so far that frames show only their name. */
export const ZoomedOutContext = createContext(false)
export const zoomedOutThreshold = 0.4

export function useCanvas(): CanvasTools {
  const tools = use(CanvasContext)
  if (!tools) throw new Error('useCanvas must be used within a CanvasContext')
  return tools
}
