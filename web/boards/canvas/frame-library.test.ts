import { expect, test } from 'vitest'
import { libraryOf } from '#contract/boards/frame-types.ts'
import { makeFrame } from '../document/board-document.ts'
import { foundInLibrary } from './found-in-library.ts'
import { framesIn } from './frames-on-clipboard.ts'

const types = libraryOf(null)

test('searches names and descriptions, ignoring case, within an exact category', () => {
  expect(types).toHaveLength(10)
  expect(foundInLibrary(types, '', 'all')).toEqual(types)
  expect(foundInLibrary(types, 'CODE', 'all')).toEqual(['code_snippet'])
  expect(foundInLibrary(types, 'read-only', 'all')).toEqual(['preview'])
  expect(foundInLibrary(types, ' frame ', 'all')).toEqual(['preview', 'dialog', 'process_frame'])
  expect(foundInLibrary(types, 'frame', 'interaction')).toEqual(['dialog', 'process_frame'])
  expect(foundInLibrary(types, '', 'visualization')).toEqual(['people_overview', 'collaboration_network'])
  expect(foundInLibrary(types, 'nothing like it', 'all')).toEqual([])
})

test('accepts only complete frames from the clipboard', () => {
  const frame = makeFrame('dialog', { position: { x: 0, y: 0 } })
  const copied = (frames: unknown[]) => JSON.stringify({ boardId: 'board', frames })
  expect(framesIn(copied([frame]))).toEqual({ boardId: 'board', frames: [frame] })
  const broken = [
    null,
    7,
    { ...frame, id: 5 },
    { ...frame, data: { ...frame.data, position: { x: '0', y: 0 } } },
    { ...frame, data: { ...frame.data, category: 'weapons' } },
    { ...frame, FrameConfig: { ...frame.FrameConfig, engagementMode: 'none' } },
    { ...frame, data: { ...frame.data, content: [] } },
  ]
  expect(framesIn(copied([...broken, frame])).frames).toEqual([frame])
  for (const text of ['{"a":', '"text"', '[7]', '{"boardId":"board","frames":7}', '']) {
    expect(framesIn(text).frames, text).toEqual([])
  }
})
