import { useStore } from '@xyflow/react'
import { useCanvas } from './canvas-context.ts'
import { useObservable } from './observable-value.ts'

/** Alignment guides, inside the transformed viewport. */
export function GuideLines() {
  const guides = useObservable(useCanvas().guides)
  const zoom = useStore(({ transform }) => transform[2])
  const thin = 1 / zoom
  return guides.map(({ axis, at, from, to }) => (
    <div
      key={`${axis}${at}`}
      aria-hidden
      data-guide={axis}
      className="pointer-events-none absolute bg-ring"
      style={
        axis === 'x'
          ? { left: at - thin / 2, top: from, width: thin, height: to - from }
          : { left: from, top: at - thin / 2, width: to - from, height: thin }
      }
    />
  ))
}
