import { expect, it } from 'vitest'
import { overlaps } from '#contract/boards/free-positions.ts'
import { createBoardDocument } from '#tests/board-fixtures.ts'
import { buildFrame, getFrameBox } from '../document/board-document.ts'
import { placeProposals, readFrameNames } from './assist-tab.tsx'

const { frames } = createBoardDocument('media_card', 'dialog')
const createFrameAt = (x: number, y: number) => buildFrame('process_frame', { position: { x, y } })

it('a proposal keeps its position when the position is free', () => {
  const free = [createFrameAt(0, 400), createFrameAt(400, 400)]
  expect(placeProposals(frames, free)).toEqual(free)
})

it('proposals move without overlaps when their position is taken', () => {
  const proposed = [createFrameAt(0, 0), createFrameAt(0, 0), createFrameAt(20, 40)]
  const placed = placeProposals(frames, proposed)
  const boxes = [...frames, ...placed].map(getFrameBox)
  for (const [index, box] of boxes.entries())
    expect(boxes.filter((other, otherIndex) => otherIndex !== index && overlaps(box, other))).toEqual([])
  expect(placed.map(({ id }) => id)).toEqual(proposed.map(({ id }) => id))
})

it('a proposal keeps its position when there is no free space', () => {
  const corner = buildFrame('media_card', { position: { x: 100_000, y: 100_000 } })
  const proposed = createFrameAt(100_000, 100_000)
  expect(placeProposals([corner], [proposed])).toEqual([proposed])
})

it('frame names are read from an incomplete response', () => {
  expect(readFrameNames('{"summary":"x","frames":[{"type":"dialog","name":"Talk \\"here\\""},{"name": "Sea')).toEqual([
    'Talk "here"',
  ])
  expect(readFrameNames('{"name":"\\x"}')).toEqual([])
})
