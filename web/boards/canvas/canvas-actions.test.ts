import type { ReactFlowInstance } from '@xyflow/react'
import { expect, test, vi } from 'vitest'
import { maxFrames } from '#contract/boards/boards.ts'
import { getFrameLibrary } from '#contract/boards/frame-types.ts'
import { createBoardDocument } from '#tests/board-fixtures.ts'
import { type BoardEdit, buildFrame } from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { CanvasActions } from './canvas-actions.ts'
import { parseClipboardFrames } from './canvas-clipboard.ts'
import { searchLibrary } from './frame-library.tsx'
import type { CanvasNode } from './use-canvas-flow.ts'

function createCanvas(frameCount: number) {
  let document = createBoardDocument(...Array.from({ length: frameCount }, () => 'code_snippet' as const))
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
  const onNotAdded = vi.fn()
  const actions = new CanvasActions(editor, {
    flow: flow as unknown as ReactFlowInstance<CanvasNode>,
    getScreenBox: () => ({ x: 0, y: 0, width: 1200, height: 800 }) as DOMRect,
    announce: () => {},
    showProblem: () => {},
    onNotAdded,
    shouldAnimate: () => false,
  })
  return { actions, onNotAdded, getFrames: () => document.frames }
}

test('adding to a full board or an unsuitable pattern fails with the reason', () => {
  const full = createCanvas(maxFrames)
  const boardFullText = 'A board can have at most 1,000 frames. Delete some first.'
  expect(full.actions.add('dialog')).toBeUndefined()
  const [first] = full.getFrames()
  if (!first) throw new Error('The board has no frames.')
  full.actions.paste({ boardId: 'board', frames: [first] })
  expect(full.onNotAdded.mock.calls).toEqual([[boardFullText], [boardFullText]])
  expect(full.getFrames()).toHaveLength(maxFrames)

  const empty = createCanvas(0)
  const mismatchedFrame = { ...first, FrameConfig: { ...first.FrameConfig, engagementMode: 'gallery' as const } }
  empty.actions.paste({ boardId: 'board', frames: [mismatchedFrame] })
  expect(empty.onNotAdded).toHaveBeenCalledWith(
    '“Frame a” wasn’t added. Code Snippet doesn’t work in gallery. Choose dialogic, canvas or focus.',
  )
  expect(empty.getFrames()).toHaveLength(0)
})

const types = getFrameLibrary(null)

test('frame types are found by name or description within a category, ignoring case', () => {
  expect(types).toHaveLength(10)
  expect(searchLibrary(types, '', 'all')).toEqual(types)
  expect(searchLibrary(types, 'CODE', 'all')).toEqual(['code_snippet'])
  expect(searchLibrary(types, 'read-only', 'all')).toEqual(['preview'])
  expect(searchLibrary(types, ' frame ', 'all')).toEqual(['preview', 'dialog', 'process_frame'])
  expect(searchLibrary(types, 'frame', 'interaction')).toEqual(['dialog', 'process_frame'])
  expect(searchLibrary(types, '', 'visualization')).toEqual(['people_overview', 'collaboration_network'])
  expect(searchLibrary(types, 'nothing like it', 'all')).toEqual([])
})

test('only complete frames are pasted from the clipboard', () => {
  const frame = buildFrame('dialog', { position: { x: 0, y: 0 } })
  const toClipboardText = (frames: unknown[]) => JSON.stringify({ boardId: 'board', frames })
  expect(parseClipboardFrames(toClipboardText([frame]))).toEqual({ boardId: 'board', frames: [frame] })
  const invalidFrames = [
    null,
    7,
    { ...frame, id: 5 },
    { ...frame, data: { ...frame.data, position: { x: '0', y: 0 } } },
    { ...frame, data: { ...frame.data, category: 'weapons' } },
    { ...frame, FrameConfig: { ...frame.FrameConfig, engagementMode: 'none' } },
    { ...frame, data: { ...frame.data, content: [] } },
  ]
  expect(parseClipboardFrames(toClipboardText([...invalidFrames, frame])).frames).toEqual([frame])
  for (const text of ['{"a":', '"text"', '[7]', '{"boardId":"board","frames":7}', '']) {
    expect(parseClipboardFrames(text).frames, text).toEqual([])
  }
})
