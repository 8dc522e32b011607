import type { NodeProps } from '@xyflow/react'
import { memo, use } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { getFrameTypeName } from '#contract/boards/frame-types.ts'
import { FrameView } from '../frames/frame-view.tsx'
import { fitNameSize, NameSizeContext, useCanvas, useStaggeredMount } from './canvas-context.ts'
import { ResizeCorners } from './drag-frames.tsx'
import type { CanvasNode } from './use-canvas-flow.ts'

interface NodeOptions {
  selection: ReadonlySet<string>
  /** Frames that stay mounted off screen because someone worked in them. */
  pinnedIds: ReadonlySet<string>
}

const nodeCache = new WeakMap<Frame, CanvasNode>()

/** Maps frames to nodes, reusing the node of an unchanged frame. */
export function toNodes(frames: readonly Frame[], { selection, pinnedIds }: NodeOptions): CanvasNode[] {
  return frames.map((frame) => {
    const selected = selection.has(frame.id)
    const isOnlySelected = selected && selection.size === 1
    const isPinned = pinnedIds.has(frame.id)
    const cachedNode = nodeCache.get(frame)
    if (
      cachedNode?.selected === selected &&
      cachedNode.data.isOnlySelected === isOnlySelected &&
      cachedNode.data.isPinned === isPinned
    )
      return cachedNode
    const { id, data } = frame
    const node: CanvasNode = {
      id,
      type: 'frame',
      position: data.position,
      ...data.size,
      // Known sizes and no handles, so that nothing is mounted just to be measured.
      measured: data.size,
      handles: [],
      selected,
      // React Flow keeps dragged nodes mounted off screen, which pins this one.
      dragging: isPinned,
      dragHandle: '[data-frame-head]',
      ariaLabel: `${data.name}, ${getFrameTypeName(data.frameType)}`,
      domAttributes: { 'aria-roledescription': 'frame' },
      data: { frame, isOnlySelected, isPinned },
    }
    nodeCache.set(frame, node)
    return node
  })
}

/** A frame on the canvas. Its body is mounted in batches; zooming out unmounts it, or hides it if it is pinned. */
const FrameNode = memo(function FrameNode({ data, selected, dragging }: NodeProps<CanvasNode>) {
  const { frame, isOnlySelected, isPinned } = data
  const { staggeredMount, frameContext, canEdit, canArrange, changeContent, openSettings } = useCanvas()
  const nameSize = use(NameSizeContext)
  const isZoomedOut = nameSize !== undefined
  const isReady = useStaggeredMount(staggeredMount, !isZoomedOut, isPinned)
  return (
    <>
      {isZoomedOut && (
        <section
          aria-label={frame.data.name}
          data-frame={frame.data.frameType}
          data-frame-head
          className="grid size-full place-items-center overflow-hidden rounded-lg border-[3px] border-input bg-card p-4 text-center font-serif leading-tight text-card-foreground"
          style={{ fontSize: fitNameSize(nameSize, frame.data.name, frame.data.size.width) }}
        >
          <span dir="auto" className="line-clamp-3 wrap-anywhere">
            {frame.data.name}
          </span>
        </section>
      )}
      {(!isZoomedOut || isReady) && (
        // Keeps its size, so that scroll positions and measurements survive. `nokey` leaves Space to what is focused in it.
        <div inert={isZoomedOut} className={isZoomedOut ? 'invisible absolute inset-0' : 'nokey size-full'}>
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
