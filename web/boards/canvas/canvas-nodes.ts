import type { Node } from '@xyflow/react'
import type { Frame } from '#contract/boards/boards.ts'

export type CanvasNode = Node<{ frame: Frame; isOnlySelected: boolean; isPinned: boolean }, 'frame'>

export interface NodeOptions {
  selection: ReadonlySet<string>
  /** Frames that stay mounted off screen because someone worked in them. */
  pinned: ReadonlySet<string>
}

const nodeCache = new WeakMap<Frame, CanvasNode>()

/** Maps frames to nodes, reusing the node of an unchanged frame. */
export function toNodes(frames: readonly Frame[], { selection, pinned }: NodeOptions): CanvasNode[] {
  return frames.map((frame) => {
    const selected = selection.has(frame.id)
    const isOnlySelected = selected && selection.size === 1
    const isPinned = pinned.has(frame.id)
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
      ariaLabel: `${data.name}, ${data.frameType}`,
      domAttributes: { 'aria-roledescription': 'frame' },
      data: { frame, isOnlySelected, isPinned },
    }
    nodeCache.set(frame, node)
    return node
  })
}
