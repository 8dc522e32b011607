import type { Node } from '@xyflow/react'
import type { Frame } from '#contract/boards/boards.ts'

export type CanvasNode = Node<{ frame: Frame; isAlone: boolean; isKept: boolean }, 'frame'>

export interface HowShown {
  selection: ReadonlySet<string>
  /** Frames that stay mounted out of sight, because somebody worked in them. */
  kept: ReadonlySet<string>
}

const made = new WeakMap<Frame, CanvasNode>()

/** The nodes of frames. A frame that is as it was, and shown as it was, has the same node. */
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
      // Known sizes and no handles: nothing is mounted only to be measured.
      measured: data.size,
      handles: [],
      selected,
      // What is being dragged is mounted wherever it is; there is no other word for it.
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
