import { ReactFlowProvider } from '@xyflow/react'
import { CanvasSurface } from './canvas-surface.tsx'
import './canvas.css'

/** The open board. With `readOnly`, or without edit rights, frames stay interactive but can't be arranged. */
export function BoardCanvas({ readOnly = false }: { readOnly?: boolean }) {
  return (
    <ReactFlowProvider>
      <CanvasSurface readOnly={readOnly} />
    </ReactFlowProvider>
  )
}
