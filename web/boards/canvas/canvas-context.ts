import { createContext, use } from 'react'
import type { FrameSurroundings } from '../frames/frame-bodies.ts'
import type { BodyTurns } from './body-turns.ts'
import type { CanvasActions } from './canvas-actions.ts'
import type { Guide } from './guides.ts'
import type { SeenValue } from './seen-value.ts'

export interface CanvasTools {
  actions: CanvasActions
  surroundings: FrameSurroundings
  turns: BodyTurns
  canEdit: boolean
  /** Whether frames may also be moved, resized and put in another order: the board's switch for it is on. */
  canArrange: boolean
  /** Lines to show while something is moved. */
  guides: SeenValue<readonly Guide[]>
  /** Whether things go onto the grid, before Ctrl turns it round. */
  snaps: SeenValue<boolean>
  changeContent: (id: string, changes: Record<string, unknown>, gesture?: string) => void
  openSettings: (id: string) => void
}

export const CanvasContext = createContext<CanvasTools | null>(null)
/** So far away that a frame is its name and a quiet surface. */
export const FarContext = createContext(false)
export const farBelow = 0.4

export function useCanvas(): CanvasTools {
  const tools = use(CanvasContext)
  if (!tools) throw new Error('There is no canvas here.')
  return tools
}
