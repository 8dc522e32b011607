import { expect, test } from 'vitest'
import type { BoardTheme, Frame, FrameData } from '#contract/boards/boards.ts'
import { createBoardDocument } from '#tests/board-fixtures.ts'
import type { DocumentChange } from '../document/board-changes.ts'
import { getOverwritten } from './relayed-changes.ts'

const { config, frames } = createBoardDocument('media_card')
const frame = frames[0] as Frame
const reverseKeys = <T extends object>(value: T) => Object.fromEntries(Object.entries(value).reverse()) as T
const createChange = (theme: BoardTheme, position: FrameData['position']): DocumentChange => ({
  frames: [{ id: frame.id, before: frame, after: { ...frame, data: { ...frame.data, position } } }],
  config: { before: config, after: { ...config, theme } },
  order: null,
})

test('equal values in another key order are not reported as overwritten', () => {
  const theme = { ...config.theme, primaryColor: '#123456' }
  const change = createChange(theme, { x: 70, y: 80 })
  const reordered = createChange(reverseKeys(theme), { y: 80, x: 70 })
  expect(getOverwritten(change, reordered)).toEqual({ frames: [], config: null, order: null })
  const other = createChange({ ...theme, primaryColor: '#654321' }, { x: 70, y: 81 })
  expect(getOverwritten(change, other)).toEqual(change)
})
