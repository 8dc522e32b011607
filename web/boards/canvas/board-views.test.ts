import { afterEach, expect, test } from 'vitest'
import { writeSetting } from '#web/offline/browser-memory.ts'
import { readBoardView, showsAny, storeBoardView, toBoardView, toViewport } from './board-views.ts'

afterEach(() => writeSetting('keeper-board-views', null))

const size = { width: 800, height: 600 }

test('a view keeps the same center in a canvas of another size', () => {
  const view = toBoardView({ x: -100, y: 50, zoom: 0.5 }, size)
  expect(view).toEqual({ x: 1000, y: 500, zoom: 0.5 })
  expect(toViewport(view, size)).toEqual({ x: -100, y: 50, zoom: 0.5 })
  expect(toViewport(view, { width: 400, height: 300 })).toEqual({ x: -300, y: -100, zoom: 0.5 })
})

test('each board has its view, and the oldest of 51 is deleted', () => {
  storeBoardView('first', { x: 1.4, y: 2.66666, zoom: 0.33333 })
  expect(readBoardView('first')).toEqual({ x: 1.4, y: 2.667, zoom: 0.333 })
  for (let index = 0; index < 50; index++) storeBoardView(`board-${index}`, { x: index, y: 0, zoom: 1 })
  expect(readBoardView('first')).toBeUndefined()
  expect(readBoardView('board-0')).toEqual({ x: 0, y: 0, zoom: 1 })
  storeBoardView('board-0', undefined)
  expect(readBoardView('board-0')).toBeUndefined()
  expect(readBoardView('board-1')).toEqual({ x: 1, y: 0, zoom: 1 })
})

test.each(['nonsense', '{}', '[["board", 1, 2]]', '[["board", "1", 2, 1]]', '[["board", null, 2, 1]]'])(
  'a stored %s is not a view',
  (stored) => {
    writeSetting('keeper-board-views', stored)
    expect(readBoardView('board')).toBeUndefined()
  },
)

test('a view away from all frames shows none', () => {
  const frame = { x: 0, y: 0, width: 200, height: 100 }
  expect(showsAny([frame], { x: 0, y: 0, zoom: 1 }, size)).toBe(true)
  expect(showsAny([frame], { x: 700, y: 0, zoom: 1 }, size)).toBe(false)
  expect(showsAny([frame], { x: 700, y: 0, zoom: 0.5 }, size)).toBe(true)
  expect(showsAny([], { x: 0, y: 0, zoom: 1 }, size)).toBe(false)
})
