import type { BoardConfig, BoardLayout, Frame } from '#contract/boards/boards.ts'

interface BoardPresentation {
  layout: BoardLayout
  dialogsFirst: boolean
}

const forcedLayouts: Partial<Record<BoardConfig['engagementMode'], BoardLayout>> = {
  wizard: 'wizard',
  canvas: 'canvas',
  focus: 'focus',
}

/** `undefined` if the mode leaves the board's own layout in effect. */
export const getForcedLayout = (mode: BoardConfig['engagementMode']): BoardLayout | undefined => forcedLayouts[mode]

export function getPresentation({
  layout,
  engagementMode,
}: Pick<BoardConfig, 'layout' | 'engagementMode'>): BoardPresentation {
  const effectiveLayout = getForcedLayout(engagementMode) ?? layout
  return {
    layout: effectiveLayout,
    dialogsFirst: engagementMode === 'dialogic' && ['column', 'row'].includes(effectiveLayout),
  }
}

/** Falls back to dialogic if the mode would hide the chosen layout. */
export function withLayout(config: BoardConfig, layout: BoardLayout): Pick<BoardConfig, 'layout' | 'engagementMode'> {
  const forcedLayout = getForcedLayout(config.engagementMode)
  return { layout, engagementMode: forcedLayout && forcedLayout !== layout ? 'dialogic' : config.engagementMode }
}

export interface FrameCell {
  kind: 'frame' | 'gallery' | 'form'
  frames: [Frame, ...Frame[]]
}

/** Groups gallery and form frames at the position of their first frame; the others keep their order. */
export function groupIntoCells(frames: readonly Frame[]): FrameCell[] {
  const cells: FrameCell[] = []
  for (const frame of frames) {
    const { engagementMode } = frame.FrameConfig
    const kind = engagementMode === 'gallery' || engagementMode === 'form' ? engagementMode : 'frame'
    const group = kind === 'frame' ? undefined : cells.find((cell) => cell.kind === kind)
    if (group) group.frames.push(frame)
    else cells.push({ kind, frames: [frame] })
  }
  return cells
}

export function getCellName({ kind, frames }: FrameCell): string {
  if (kind === 'frame' || frames.length === 1) return frames[0].data.name
  return kind === 'gallery' ? `Gallery, ${frames.length} pictures` : `Settings, ${frames.length} panels`
}

export const isDialogCell = ({ kind, frames }: FrameCell) => kind === 'frame' && frames[0].data.frameType === 'dialog'

export function getGridColumnCount(frameCount: number): 1 | 2 | 3 {
  if (frameCount <= 1) return 1
  return frameCount <= 4 ? 2 : 3
}

/** Container queries: the board's own width decides, not the window's. */
export const gridClasses = {
  1: 'grid-cols-1',
  2: 'grid-cols-1 @min-[560px]:grid-cols-2',
  3: 'grid-cols-1 @min-[560px]:grid-cols-2 @min-[960px]:grid-cols-3',
} as const

export function getSpanClass(frameCount: number, columnCount: keyof typeof gridClasses): string | undefined {
  if (frameCount === 1) return undefined
  return columnCount === 3 && frameCount === 2 ? '@min-[560px]:col-span-2' : 'col-span-full'
}
