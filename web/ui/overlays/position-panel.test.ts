import { expect, test } from 'vitest'
import { type Placement, positionPanel } from './position-panel.ts'

const window = { width: 1000, height: 600 }
const button = { left: 400, top: 100, width: 80, height: 32 }
const below: Placement = { side: 'bottom', align: 'start', gap: 5 }

test('a menu opens below its button, aligned to either edge', () => {
  const menu = { width: 200, height: 150 }
  expect(positionPanel(button, menu, window, below)).toMatchObject({ left: 400, top: 137, side: 'bottom' })
  expect(positionPanel(button, menu, window, { ...below, align: 'end' })).toMatchObject({ left: 280 })
  expect(positionPanel(button, menu, window, { ...below, align: 'center' })).toMatchObject({ left: 340 })
})

test('a menu flips to the top when only that side has space', () => {
  const low = { ...button, top: 500 }
  expect(positionPanel(low, { width: 200, height: 150 }, window, below)).toMatchObject({ side: 'top', top: 345 })
})

test('a menu keeps its side and scrolls when neither side has space', () => {
  const middle = { ...button, top: 200 }
  expect(positionPanel(middle, { width: 200, height: 900 }, window, below)).toMatchObject({
    side: 'bottom',
    top: 237,
    maxHeight: 355,
  })
})

test('a panel never leaves the window', () => {
  const corner = { left: 990, top: 2, width: 8, height: 8 }
  expect(positionPanel(corner, { width: 200, height: 40 }, window, { ...below, side: 'right' })).toMatchObject({
    side: 'left',
    left: 785,
    top: 8,
  })
  expect(positionPanel(corner, { width: 200, height: 40 }, window, below)).toMatchObject({ left: 792 })
})
