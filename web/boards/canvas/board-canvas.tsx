import { ReactFlowProvider } from '@xyflow/react'
import { CanvasSurface } from './canvas-surface.tsx'
import './canvas.css'

/** The open board, to be arranged by pointer and keys. Without the right to change it, or `readOnly`: to look at, with its frames alive. */
export function BoardCanvas({ readOnly = false }: { readOnly?: boolean }) {
  return (
    <ReactFlowProvider>
      <CanvasSurface readOnly={readOnly} />
    </ReactFlowProvider>
  )
}
