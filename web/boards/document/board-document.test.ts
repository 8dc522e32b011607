import { expect, test } from 'vitest'
import { createBoardDocument } from '#tests/board-fixtures.ts'
import {
  addFrames,
  buildFrame,
  changeContent,
  duplicateFrames,
  getBoundingBox,
  reorderFrame,
  setFrameBoxes,
  snapSize,
  snapToGrid,
  toFrameSlug,
  toUniqueSlug,
} from './board-document.ts'

test('positions snap to integers on the 20-pixel grid within the limits', () => {
  expect([0, 9.9, 10, 29, -29, -9.9, 1e9, -1e9].map(snapToGrid)).toEqual([0, 0, 20, 20, -20, 0, 100_000, -100_000])
  expect(Object.is(snapToGrid(-3), 0)).toBe(true)
  expect(snapSize({ width: 1, height: 9999 })).toEqual({ width: 120, height: 2000 })
})

test('slugs are ASCII, not empty and unique on a board', () => {
  expect(toFrameSlug('Évening Round — 2')).toBe('evening-round-2')
  expect(toFrameSlug('夕方')).toBe('frame')
  const { frames } = createBoardDocument('dialog', 'dialog')
  expect(toUniqueSlug(frames, 'frame-a')).toBe('frame-a-2')
  expect(toUniqueSlug(frames, 'frame-a', 'a')).toBe('frame-a')
})

test('a copied chat starts a new session with the same agent', () => {
  const board = changeContent('a', { agentId: 'reader', sessionId: 'evening' })(createBoardDocument('dialog'))
  const { frames } = duplicateFrames(new Set(['a']), () => {})(board)
  const chats = frames.map(({ data: { content } }) => [content.agentId, content.sessionId])
  expect(chats).toEqual([
    ['reader', 'evening'],
    ['reader', null],
  ])
})

test('adding two frames with one name creates two slugs', () => {
  const board = createBoardDocument()
  const twice = [0, 1].map(() => buildFrame('dialog', { position: { x: 3, y: 11 } }))
  const { frames } = addFrames(twice)(board)
  expect(frames.map(({ data }) => data.slug)).toEqual(['dialog-frame', 'dialog-frame-2'])
  expect(frames[0]?.data.position).toEqual({ x: 0, y: 20 })
})

test('placing a frame where it already is reuses the object', () => {
  const board = createBoardDocument('dialog', 'preview')
  const updated = setFrameBoxes(
    new Map([
      ['a', { x: 4, y: 0 }],
      ['b', { x: 900 }],
    ]),
    { snaps: true },
  )(board)
  expect(updated.frames[0]).toBe(board.frames[0])
  expect(updated.frames[1]?.data.position).toEqual({ x: 900, y: 0 })
})

test('a copy is offset and has a new ID and slug', () => {
  const board = createBoardDocument('dialog')
  let copyIds: string[] = []
  const { frames } = duplicateFrames(new Set(['a']), (ids) => (copyIds = ids))(board)
  expect(frames.map(({ id }) => id)).toEqual(['a', ...copyIds])
  expect(frames[1]?.data).toMatchObject({ slug: 'frame-a-2', position: { x: 40, y: 40 } })
  expect(frames[1]?.configId).toBe(copyIds[0])
})

test('frames can be reordered and have a bounding box', () => {
  const board = createBoardDocument('dialog', 'preview', 'media_card')
  expect(reorderFrame('c', 0)(board).frames.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  expect(reorderFrame('a', 99)(board).frames.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
  expect(reorderFrame('x', 0)(board)).toBe(board)
  expect(getBoundingBox(board.frames)).toEqual({ x: 0, y: 0, width: 1100, height: 260 })
  expect(getBoundingBox([])).toBeUndefined()
})
