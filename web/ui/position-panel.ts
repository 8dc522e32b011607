export type PanelSide = 'top' | 'bottom' | 'left' | 'right'
export type Align = 'start' | 'center' | 'end'

interface PanelBounds {
  left: number
  top: number
  width: number
  height: number
}

interface PanelSize {
  width: number
  height: number
}

export interface Placement {
  side: PanelSide
  align: Align
  gap: number
}

const margin = 8
const opposite: Record<PanelSide, PanelSide> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

/** Positions a panel next to its anchor: flips to the opposite side when only that has space, and stays in the window. */
export function positionPanel(
  anchor: PanelBounds,
  panel: PanelSize,
  window: PanelSize,
  { side, align, gap }: Placement,
) {
  const space: Record<PanelSide, number> = {
    top: anchor.top - gap - margin,
    bottom: window.height - (anchor.top + anchor.height) - gap - margin,
    left: anchor.left - gap - margin,
    right: window.width - (anchor.left + anchor.width) - gap - margin,
  }
  const vertical = side === 'top' || side === 'bottom'
  const neededSpace = vertical ? panel.height : panel.width
  const chosenSide = neededSpace > space[side] && space[opposite[side]] > space[side] ? opposite[side] : side
  const maxHeight = vertical ? space[chosenSide] : window.height - 2 * margin
  const height = Math.min(panel.height, maxHeight)

  const crossOffset = {
    top: anchor.top - gap - height,
    bottom: anchor.top + anchor.height + gap,
    left: anchor.left - gap - panel.width,
    right: anchor.left + anchor.width + gap,
  }[chosenSide]
  const alignedOffset = vertical
    ? alignPanel(anchor.left, anchor.width, panel.width, align)
    : alignPanel(anchor.top, anchor.height, height, align)
  return {
    side: chosenSide,
    maxHeight,
    left: clampToWindow(vertical ? alignedOffset : crossOffset, window.width - panel.width),
    top: clampToWindow(vertical ? crossOffset : alignedOffset, window.height - height),
  }
}

function alignPanel(start: number, length: number, panelLength: number, align: Align): number {
  if (align === 'start') return start
  const spare = length - panelLength
  return align === 'end' ? start + spare : start + spare / 2
}

function clampToWindow(position: number, last: number): number {
  return Math.round(Math.max(margin, Math.min(position, last - margin)))
}
