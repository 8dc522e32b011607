import { expect, test } from 'vitest'
import { boardLayouts } from '#contract/boards/boards.ts'
import type { EngagementPattern, FrameType } from '#contract/boards/frame-types.ts'
import { makeFrame } from '../document/board-document.ts'
import { cellName, cellsOf, presentationOf, withLayout } from './presentation.ts'

const config = (layout: (typeof boardLayouts)[number], engagementMode: EngagementPattern) => ({
  layout,
  engagementMode,
})
const frame = (type: FrameType, name: string, engagementMode?: EngagementPattern) => {
  const made = makeFrame(type, { position: { x: 0, y: 0 }, name })
  return engagementMode ? { ...made, FrameConfig: { ...made.FrameConfig, engagementMode } } : made
}

test('wizard, canvas and focus modes force a layout; dialogic uses the board’s', () => {
  for (const layout of boardLayouts) {
    expect(presentationOf(config(layout, 'wizard')).layout).toBe('wizard')
    expect(presentationOf(config(layout, 'canvas')).layout).toBe('canvas')
    expect(presentationOf(config(layout, 'focus')).layout).toBe('focus')
    expect(presentationOf(config(layout, 'dialogic')).layout).toBe(layout)
  }
})

test('dialogic mode puts dialogs first in a column or row, not in a grid', () => {
  const first = boardLayouts.filter((layout) => presentationOf(config(layout, 'dialogic')).dialogsFirst)
  expect(first).toEqual(['column', 'row'])
  expect(presentationOf(config('grid', 'gallery')).dialogsFirst).toBe(false)
})

test('choosing a layout resets a mode that would hide it', () => {
  const whole = { ...config('canvas', 'wizard') } as Parameters<typeof withLayout>[0]
  expect(withLayout(whole, 'grid')).toEqual({ layout: 'grid', engagementMode: 'dialogic' })
  expect(withLayout(whole, 'wizard')).toEqual({ layout: 'wizard', engagementMode: 'wizard' })
  expect(withLayout({ ...whole, engagementMode: 'dialogic' }, 'row')).toEqual({
    layout: 'row',
    engagementMode: 'dialogic',
  })
})

test('gallery pictures and form panels are grouped; other frames keep their order', () => {
  const cells = cellsOf([
    frame('code_snippet', 'Prompt'),
    frame('media_card', 'Harbour', 'gallery'),
    frame('config_panel', 'Colours', 'form'),
    frame('media_card', 'Alone', 'focus'),
    frame('media_card', 'Boat', 'gallery'),
    frame('config_panel', 'Agent', 'form'),
  ])
  expect(cells.map(({ kind, frames }) => [kind, ...frames.map(({ data }) => data.name)])).toEqual([
    ['frame', 'Prompt'],
    ['gallery', 'Harbour', 'Boat'],
    ['form', 'Colours', 'Agent'],
    ['frame', 'Alone'],
  ])
  expect(cells.map(cellName)).toEqual(['Prompt', 'Gallery, 2 pictures', 'Settings, 2 panels', 'Alone'])
})
