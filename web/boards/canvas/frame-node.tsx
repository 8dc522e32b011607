import { type NodeProps, useReactFlow } from '@xyflow/react'
import { memo, use } from 'react'
import { FrameView } from '../frames/frame-view.tsx'
import { useCanvas, ZoomedOutContext } from './canvas-context.ts'
import type { CanvasNode } from './canvas-nodes.ts'
import { ResizeCorners } from './resize-corners.tsx'
import { useStaggeredMount } from './staggered-mount.ts'

/** A frame on the canvas. Its body is mounted in batches and hidden when zoomed out, unless it is pinned. */
const FrameNode = memo(function FrameNode({ data, selected, dragging }: NodeProps<CanvasNode>) {
  const { frame, isOnlySelected, isPinned } = data
  const { staggeredMount, frameContext, canEdit, canArrange, changeContent, openSettings } = useCanvas()
  const isZoomedOut = use(ZoomedOutContext)
  const isReady = useStaggeredMount(staggeredMount, !isZoomedOut, isPinned)
  return (
    <>
      {isZoomedOut && (
        <section
          aria-label={frame.data.name}
          data-frame={frame.data.frameType}
          data-frame-head
          className="grid size-full place-items-center overflow-hidden rounded-lg border-[3px] border-input bg-card p-4 text-center font-serif text-[44px] leading-tight text-card-foreground"
        >
          <span className="line-clamp-3">{frame.data.name}</span>
        </section>
      )}
      {(!isZoomedOut || isReady) && (
        // Keeps its size, so that scroll positions and measurements survive.
        <div inert={isZoomedOut} className={isZoomedOut ? 'invisible absolute inset-0' : 'size-full'}>
          <FrameView
            frame={frame}
            context={frameContext}
            changeContent={changeContent}
            openSettings={canEdit ? openSettings : undefined}
            isHeaderOnly={!isReady}
            className={dragging ? 'canvas-dragged' : undefined}
          />
        </div>
      )}
      {selected && <div aria-hidden className="pointer-events-none absolute -inset-px rounded-lg ring-2 ring-ring" />}
      {isOnlySelected && canArrange && <ResizeCorners frame={frame} />}
    </>
  )
})

export const nodeTypes = { frame: FrameNode }
export const useCanvasFlow = () => useReactFlow<CanvasNode>()
