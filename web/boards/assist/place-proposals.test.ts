import { expect, it } from 'vitest'
import { overlaps } from '#contract/boards/free-places.ts'
import { documentOfTests } from '#tests/a-board.ts'
import { boxOf, makeFrame } from '../document/board-document.ts'
import { namesSoFar, placedBeside } from './place-proposals.ts'

const { frames } = documentOfTests('media_card', 'dialog')
const at = (x: number, y: number) => makeFrame('process_frame', { position: { x, y } })

it('keeps the proposed position when it is free', () => {
  const free = [at(0, 400), at(400, 400)]
  expect(placedBeside(frames, free)).toEqual(free)
})

it('moves proposals whose position is taken, without overlaps', () => {
  const proposed = [at(0, 0), at(0, 0), at(20, 40)]
  const placed = placedBeside(frames, proposed)
  const boxes = [...frames, ...placed].map(boxOf)
  for (const [index, box] of boxes.entries())
    expect(boxes.filter((other, place) => place !== index && overlaps(box, other))).toEqual([])
  expect(placed.map(({ id }) => id)).toEqual(proposed.map(({ id }) => id))
})

it('keeps the position when there is no free space', () => {
  const corner = makeFrame('media_card', { position: { x: 100_000, y: 100_000 } })
  const proposed = at(100_000, 100_000)
  expect(placedBeside([corner], [proposed])).toEqual([proposed])
})

it('reads frame names from an incomplete response', () => {
  expect(namesSoFar('{"summary":"x","frames":[{"type":"dialog","name":"Talk \\"here\\""},{"name": "Sea')).toEqual([
    'Talk "here"',
  ])
  expect(namesSoFar('{"name":"\\x"}')).toEqual([])
})
