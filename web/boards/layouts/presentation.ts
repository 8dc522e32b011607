import type { BoardConfig, BoardLayout, Frame } from '#contract/boards/boards.ts'

export interface Presentation {
  layout: BoardLayout
  dialogsFirst: boolean
}

const layoutOfMode: Partial<Record<BoardConfig['engagementMode'], BoardLayout>> = {
  wizard: 'wizard',
  canvas: 'canvas',
  focus: 'focus',
}

/** `undefined` if the mode leaves the board's own layout in effect. */
export const layoutForcedBy = (mode: BoardConfig['engagementMode']): BoardLayout | undefined => layoutOfMode[mode]

export function presentationOf({
  layout,
  engagementMode,
}: Pick<BoardConfig, 'layout' | 'engagementMode'>): Presentation {
  const shown = layoutForcedBy(engagementMode) ?? layout
  return { layout: shown, dialogsFirst: engagementMode === 'dialogic' && ['column', 'row'].includes(shown) }
}

/** Falls back to dialogic if the mode would hide the chosen layout. */
export function withLayout(config: BoardConfig, layout: BoardLayout): Pick<BoardConfig, 'layout' | 'engagementMode'> {
  const forced = layoutForcedBy(config.engagementMode)
  return { layout, engagementMode: forced && forced !== layout ? 'dialogic' : config.engagementMode }
}

export interface Cell {
  kind: 'frame' | 'gallery' | 'form'
  frames: [Frame, ...Frame[]]
}

/** Groups gallery and form frames at the position of their first frame; the others keep their order. */
export function cellsOf(frames: readonly Frame[]): Cell[] {
  const cells: Cell[] = []
  for (const frame of frames) {
    const { engagementMode } = frame.FrameConfig
    const kind = engagementMode === 'gallery' || engagementMode === 'form' ? engagementMode : 'frame'
    const group = kind === 'frame' ? undefined : cells.find((cell) => cell.kind === kind)
    if (group) group.frames.push(frame)
    else cells.push({ kind, frames: [frame] })
  }
  return cells
}

export function cellName({ kind, frames }: Cell): string {
  if (kind === 'frame' || frames.length === 1) return frames[0].data.name
  return kind === 'gallery' ? `Gallery, ${frames.length} pictures` : `Settings, ${frames.length} panels`
}

export const isDialog = ({ kind, frames }: Cell) => kind === 'frame' && frames[0].data.frameType === 'dialog'
