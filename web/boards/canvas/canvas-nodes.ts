import type { Node } from '@xyflow/react'
import type { Frame } from '#contract/boards/boards.ts'

export type CanvasNode = Node<{ frame: Frame; isAlone: boolean; isKept: boolean }, 'frame'>

export interface HowShown {
  selection: ReadonlySet<string>
  /** Frames that stay mounted off screen because someone worked in them. */
  kept: ReadonlySet<string>
}

const made = new WeakMap<Frame, CanvasNode>()

/** Maps frames to nodes, reusing the node of an unchanged frame. */
export function nodesOf(frames: readonly Frame[], { selection, kept }: HowShown): CanvasNode[] {
  return frames.map((frame) => {
    const selected = selection.has(frame.id)
    const isAlone = selected && selection.size === 1
    const isKept = kept.has(frame.id)
    const known = made.get(frame)
    if (known?.selected === selected && known.data.isAlone === isAlone && known.data.isKept === isKept) return known
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
      dragging: isKept,
      dragHandle: '[data-frame-head]',
      ariaLabel: `${data.name}, ${data.frameType}`,
      domAttributes: { 'aria-roledescription': 'frame' },
      data: { frame, isAlone, isKept },
    }
    made.set(frame, node)
    return node
  })
}
