import type { BoardConfig, BoardLayout, Frame } from '#contract/boards/boards.ts'

export interface Presentation {
  layout: BoardLayout
  /** Dialogs are wide and first, what they are about stands below. */
  dialogsFirst: boolean
}

const layoutOfMode: Partial<Record<BoardConfig['engagementMode'], BoardLayout>> = {
  wizard: 'wizard',
  canvas: 'canvas',
  focus: 'focus',
}

/** The layout that a mode shows whatever was chosen; `undefined` where the chosen one counts. */
export const layoutForcedBy = (mode: BoardConfig['engagementMode']): BoardLayout | undefined => layoutOfMode[mode]

/** How a board is shown: its engagement mode decides, and in dialogic mode its layout does. A grid keeps its columns. */
export function presentationOf({
  layout,
  engagementMode,
}: Pick<BoardConfig, 'layout' | 'engagementMode'>): Presentation {
  const shown = layoutForcedBy(engagementMode) ?? layout
  return { layout: shown, dialogsFirst: engagementMode === 'dialogic' && ['column', 'row'].includes(shown) }
}

/** What a new layout makes of the config: a mode that would hide it gives way, so that what is chosen last is shown. */
export function withLayout(config: BoardConfig, layout: BoardLayout): Pick<BoardConfig, 'layout' | 'engagementMode'> {
  const forced = layoutForcedBy(config.engagementMode)
  return { layout, engagementMode: forced && forced !== layout ? 'dialogic' : config.engagementMode }
}

/** What is shown in one place: a frame, or the frames of a gallery or a form together. */
export interface Cell {
  kind: 'frame' | 'gallery' | 'form'
  /** At least one. */
  frames: [Frame, ...Frame[]]
}

/** Frames in their order; those of the patterns gallery and form stand together where the first of them stood. */
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

/** Of one frame its name, of several what they are together. */
export function cellName({ kind, frames }: Cell): string {
  if (kind === 'frame' || frames.length === 1) return frames[0].data.name
  return kind === 'gallery' ? `Gallery, ${frames.length} pictures` : `Settings, ${frames.length} panels`
}

export const isDialog = ({ kind, frames }: Cell) => kind === 'frame' && frames[0].data.frameType === 'dialog'
