import { type Node, useReactFlow } from '@xyflow/react'
import type { Frame } from '#contract/boards/boards.ts'

export const useCanvasFlow = () => useReactFlow<CanvasNode>()

export type CanvasNode = Node<{ frame: Frame; isOnlySelected: boolean; isPinned: boolean }, 'frame'>
