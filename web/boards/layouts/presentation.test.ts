import { expect, test } from 'vitest'
import { boardLayouts } from '#contract/boards/boards.ts'
import type { EngagementPattern, FrameType } from '#contract/boards/frame-types.ts'
import { buildFrame } from '../document/board-document.ts'
import { getFitScale, getNextScale } from './canvas-layout.tsx'
import { describeAnimation, describeColumns } from './layout-tab.tsx'
import {
  getCellName,
  getGridColumnCount,
  getPresentation,
  getSpanClass,
  gridClasses,
  groupIntoCells,
  withLayout,
} from './presentation.ts'

const createConfig = (layout: (typeof boardLayouts)[number], engagementMode: EngagementPattern) => ({
  layout,
  engagementMode,
})
const createFrame = (type: FrameType, name: string, engagementMode?: EngagementPattern) => {
  const newFrame = buildFrame(type, { position: { x: 0, y: 0 }, name })
  return engagementMode ? { ...newFrame, FrameConfig: { ...newFrame.FrameConfig, engagementMode } } : newFrame
}

test('wizard, canvas and focus modes force a layout; dialogic uses the board’s', () => {
  for (const layout of boardLayouts) {
    expect(getPresentation(createConfig(layout, 'wizard')).layout).toBe('wizard')
    expect(getPresentation(createConfig(layout, 'canvas')).layout).toBe('canvas')
    expect(getPresentation(createConfig(layout, 'focus')).layout).toBe('focus')
    expect(getPresentation(createConfig(layout, 'dialogic')).layout).toBe(layout)
  }
})

test('dialogic mode puts dialogs first in a column or row, not in a grid', () => {
  const layoutsWithDialogsFirst = boardLayouts.filter(
    (layout) => getPresentation(createConfig(layout, 'dialogic')).dialogsFirst,
  )
  expect(layoutsWithDialogsFirst).toEqual(['column', 'row'])
  expect(getPresentation(createConfig('grid', 'gallery')).dialogsFirst).toBe(false)
})

test('choosing a layout resets a mode that would hide it', () => {
  const fullConfig = { ...createConfig('canvas', 'wizard') } as Parameters<typeof withLayout>[0]
  expect(withLayout(fullConfig, 'grid')).toEqual({ layout: 'grid', engagementMode: 'dialogic' })
  expect(withLayout(fullConfig, 'wizard')).toEqual({ layout: 'wizard', engagementMode: 'wizard' })
  expect(withLayout({ ...fullConfig, engagementMode: 'dialogic' }, 'row')).toEqual({
    layout: 'row',
    engagementMode: 'dialogic',
  })
})

test('gallery pictures and form panels are grouped; other frames keep their order', () => {
  const cells = groupIntoCells([
    createFrame('code_snippet', 'Prompt'),
    createFrame('media_card', 'Harbour', 'gallery'),
    createFrame('config_panel', 'Colors', 'form'),
    createFrame('media_card', 'Alone', 'focus'),
    createFrame('media_card', 'Boat', 'gallery'),
    createFrame('config_panel', 'Agent', 'form'),
  ])
  expect(cells.map(({ kind, frames }) => [kind, ...frames.map(({ data }) => data.name)])).toEqual([
    ['frame', 'Prompt'],
    ['gallery', 'Harbour', 'Boat'],
    ['form', 'Colors', 'Agent'],
    ['frame', 'Alone'],
  ])
  expect(cells.map(getCellName)).toEqual(['Prompt', 'Gallery, 2 pictures', 'Settings, 2 panels', 'Alone'])
})

test('a board is scaled to fit, but never enlarged', () => {
  expect(getFitScale({ width: 500, height: 300 }, { width: 1000, height: 600 })).toBe(1)
  expect(getFitScale({ width: 1250, height: 300 }, { width: 1000, height: 600 })).toBe(0.8)
  expect(getFitScale({ width: 1000, height: 900 }, { width: 1000, height: 600 })).toBeCloseTo(0.667, 3)
  expect(getFitScale({ width: 1950, height: 300 }, { width: 390, height: 600 })).toBe(0.2)
  expect(getFitScale({ width: 20_000, height: 300 }, { width: 390, height: 600 })).toBe(0.1)
  expect(getFitScale({ width: 500, height: 300 }, { width: 0, height: 0 })).toBe(1)
})

test('zooming goes up and down between fixed scales', () => {
  expect(getNextScale(0.8, 1)).toBe(1)
  expect(getNextScale(0.8, -1)).toBe(0.75)
  expect(getNextScale(1, 1)).toBe(1.5)
  expect(getNextScale(2, 1)).toBe(2)
  expect(getNextScale(0.1, -1)).toBe(0.1)
})

test('a grid has one column for 1 frame, two up to 4, three for more', () => {
  expect([1, 2, 3, 4, 5, 12, 1000].map(getGridColumnCount)).toEqual([1, 2, 2, 2, 3, 3, 3])
  expect(getGridColumnCount(0)).toBe(1)
})

test('every grid has one column on a phone', () => {
  for (const classes of Object.values(gridClasses)) expect(classes.split(' ')[0]).toBe('grid-cols-1')
})

test('grouped frames span as many columns as they would need separately', () => {
  expect([1, 2, 3].map((frameCount) => getSpanClass(frameCount, 2))).toEqual([
    undefined,
    'col-span-full',
    'col-span-full',
  ])
  expect([1, 2, 3].map((frameCount) => getSpanClass(frameCount, 3))).toEqual([
    undefined,
    '@min-[560px]:col-span-2',
    'col-span-full',
  ])
})

test('columns of a grid are described by its number of frames', () => {
  expect([0, 1, 2, 4, 5].map((frameCount) => describeColumns('grid', frameCount))).toEqual([
    'No frames yet.',
    '1 frame: 1 column.',
    '2 frames: 2 columns, 1 on a phone.',
    '4 frames: 2 columns, 1 on a phone.',
    '5 frames: 3 columns at large widths, 2 on a tablet, 1 on a phone.',
  ])
})

test('each animation preset names its duration', () => {
  expect(describeAnimation('fade')).toBe('Frames appear over 0.3 s.')
  expect(describeAnimation('slide')).toBe('Frames appear over 0.4 s.')
  expect(describeAnimation('scale')).toBe('Frames appear over 0.3 s.')
  expect(describeAnimation('none')).toBe('Frames appear right away.')
})
