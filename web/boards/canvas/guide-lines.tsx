import { useStore } from '@xyflow/react'
import { useCanvas } from './canvas-context.ts'
import { useObservable } from './observable-value.ts'

/** Alignment guides, inside the transformed viewport. */
export function GuideLines() {
  const guides = useObservable(useCanvas().guides)
  const zoom = useStore(({ transform }) => transform[2])
  const lineWidth = 1 / zoom
  return guides.map(({ axis, position, start, end }) => (
    <div
      key={`${axis}${position}`}
      aria-hidden
      data-guide={axis}
      className="pointer-events-none absolute bg-ring"
      style={
        axis === 'x'
          ? { left: position - lineWidth / 2, top: start, width: lineWidth, height: end - start }
          : { left: start, top: position - lineWidth / 2, width: end - start, height: lineWidth }
      }
    />
  ))
}
