import { expect, test } from 'vitest'
import { boardLayouts } from '#contract/boards/boards.ts'
import type { EngagementPattern, FrameType } from '#contract/boards/frame-types.ts'
import { buildFrame } from '../document/board-document.ts'
import { getCellName, getPresentation, groupIntoCells, withLayout } from './presentation.ts'

const config = (layout: (typeof boardLayouts)[number], engagementMode: EngagementPattern) => ({
  layout,
  engagementMode,
})
const frame = (type: FrameType, name: string, engagementMode?: EngagementPattern) => {
  const newFrame = buildFrame(type, { position: { x: 0, y: 0 }, name })
  return engagementMode ? { ...newFrame, FrameConfig: { ...newFrame.FrameConfig, engagementMode } } : newFrame
}

test('wizard, canvas and focus modes force a layout; dialogic uses the board’s', () => {
  for (const layout of boardLayouts) {
    expect(getPresentation(config(layout, 'wizard')).layout).toBe('wizard')
    expect(getPresentation(config(layout, 'canvas')).layout).toBe('canvas')
    expect(getPresentation(config(layout, 'focus')).layout).toBe('focus')
    expect(getPresentation(config(layout, 'dialogic')).layout).toBe(layout)
  }
})

test('dialogic mode puts dialogs first in a column or row, not in a grid', () => {
  const first = boardLayouts.filter((layout) => getPresentation(config(layout, 'dialogic')).dialogsFirst)
  expect(first).toEqual(['column', 'row'])
  expect(getPresentation(config('grid', 'gallery')).dialogsFirst).toBe(false)
})

test('choosing a layout resets a mode that would hide it', () => {
  const fullConfig = { ...config('canvas', 'wizard') } as Parameters<typeof withLayout>[0]
  expect(withLayout(fullConfig, 'grid')).toEqual({ layout: 'grid', engagementMode: 'dialogic' })
  expect(withLayout(fullConfig, 'wizard')).toEqual({ layout: 'wizard', engagementMode: 'wizard' })
  expect(withLayout({ ...fullConfig, engagementMode: 'dialogic' }, 'row')).toEqual({
    layout: 'row',
    engagementMode: 'dialogic',
  })
})

test('gallery pictures and form panels are grouped; other frames keep their order', () => {
  const cells = groupIntoCells([
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
  expect(cells.map(getCellName)).toEqual(['Prompt', 'Gallery, 2 pictures', 'Settings, 2 panels', 'Alone'])
})
