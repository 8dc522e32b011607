import type { ReactFlowInstance } from '@xyflow/react'
import { expect, test, vi } from 'vitest'
import { maxFrames } from '#contract/boards/boards.ts'
import { createBoardDocument } from '#tests/board-fixtures.ts'
import type { BoardEdit } from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { CanvasActions } from './canvas-actions.ts'
import type { CanvasNode } from './frame-node.tsx'

function createCanvas(count: number) {
  let document = createBoardDocument(...Array.from({ length: count }, () => 'code_snippet' as const))
  let selection: ReadonlySet<string> = new Set()
  const editor = {
    id: 'board',
    getSnapshot: () => ({ document, selection }),
    edit: (_label: string, edit: BoardEdit) => {
      document = edit(document)
    },
    select: (ids: Iterable<string>) => {
      selection = new Set(ids)
    },
  } as unknown as BoardEditor
  const flow = { getViewport: () => ({ x: 0, y: 0, zoom: 1 }), getZoom: () => 1 }
  const notAdded = vi.fn()
  const actions = new CanvasActions(editor, {
    flow: flow as unknown as ReactFlowInstance<CanvasNode>,
    getScreenBox: () => ({ x: 0, y: 0, width: 1200, height: 800 }) as DOMRect,
    announce: () => {},
    showProblem: () => {},
    onNotAdded: notAdded,
    shouldAnimate: () => false,
  })
  return { actions, notAdded, frames: () => document.frames }
}

test('gives the reason when a board is full or a frame does not match its pattern', () => {
  const full = createCanvas(maxFrames)
  const tooMany = 'A board can have at most 1,000 frames. Delete some first.'
  expect(full.actions.add('dialog')).toBeUndefined()
  const [first] = full.frames()
  if (!first) throw new Error('It is full.')
  full.actions.paste({ boardId: 'board', frames: [first] })
  expect(full.notAdded.mock.calls).toEqual([[tooMany], [tooMany]])
  expect(full.frames()).toHaveLength(maxFrames)

  const empty = createCanvas(0)
  const mismatchedFrame = { ...first, FrameConfig: { ...first.FrameConfig, engagementMode: 'gallery' as const } }
  empty.actions.paste({ boardId: 'board', frames: [mismatchedFrame] })
  expect(empty.notAdded).toHaveBeenCalledWith(
    '“Frame a” wasn’t added. Code Snippet doesn’t work in gallery. Choose dialogic, canvas or focus.',
  )
  expect(empty.frames()).toHaveLength(0)
})
