import { expect, test } from 'vitest'
import { getFrameLibrary } from '#contract/boards/frame-types.ts'
import { buildFrame } from '../document/board-document.ts'
import { parseClipboardFrames } from './canvas-clipboard.ts'
import { searchLibrary } from './frame-library.tsx'

const types = getFrameLibrary(null)

test('searches names and descriptions, ignoring case, within an exact category', () => {
  expect(types).toHaveLength(10)
  expect(searchLibrary(types, '', 'all')).toEqual(types)
  expect(searchLibrary(types, 'CODE', 'all')).toEqual(['code_snippet'])
  expect(searchLibrary(types, 'read-only', 'all')).toEqual(['preview'])
  expect(searchLibrary(types, ' frame ', 'all')).toEqual(['preview', 'dialog', 'process_frame'])
  expect(searchLibrary(types, 'frame', 'interaction')).toEqual(['dialog', 'process_frame'])
  expect(searchLibrary(types, '', 'visualization')).toEqual(['people_overview', 'collaboration_network'])
  expect(searchLibrary(types, 'nothing like it', 'all')).toEqual([])
})

test('accepts only complete frames from the clipboard', () => {
  const frame = buildFrame('dialog', { position: { x: 0, y: 0 } })
  const copied = (frames: unknown[]) => JSON.stringify({ boardId: 'board', frames })
  expect(parseClipboardFrames(copied([frame]))).toEqual({ boardId: 'board', frames: [frame] })
  const broken = [
    null,
    7,
    { ...frame, id: 5 },
    { ...frame, data: { ...frame.data, position: { x: '0', y: 0 } } },
    { ...frame, data: { ...frame.data, category: 'weapons' } },
    { ...frame, FrameConfig: { ...frame.FrameConfig, engagementMode: 'none' } },
    { ...frame, data: { ...frame.data, content: [] } },
  ]
  expect(parseClipboardFrames(copied([...broken, frame])).frames).toEqual([frame])
  for (const text of ['{"a":', '"text"', '[7]', '{"boardId":"board","frames":7}', '']) {
    expect(parseClipboardFrames(text).frames, text).toEqual([])
  }
})
