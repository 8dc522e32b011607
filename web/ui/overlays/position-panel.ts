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

const windowMargin = 8
const oppositeSides: Record<PanelSide, PanelSide> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

/** Positions a panel next to its anchor: flips to the opposite side when only that has space, and stays in the window. */
export function positionPanel(
  anchor: PanelBounds,
  panel: PanelSize,
  viewport: PanelSize,
  { side, align, gap }: Placement,
) {
  const availableSpace: Record<PanelSide, number> = {
    top: anchor.top - gap - windowMargin,
    bottom: viewport.height - (anchor.top + anchor.height) - gap - windowMargin,
    left: anchor.left - gap - windowMargin,
    right: viewport.width - (anchor.left + anchor.width) - gap - windowMargin,
  }
  const isVertical = side === 'top' || side === 'bottom'
  const neededSpace = isVertical ? panel.height : panel.width
  const chosenSide =
    neededSpace > availableSpace[side] && availableSpace[oppositeSides[side]] > availableSpace[side]
      ? oppositeSides[side]
      : side
  const maxHeight = isVertical ? availableSpace[chosenSide] : viewport.height - 2 * windowMargin
  const height = Math.min(panel.height, maxHeight)

  const crossOffset = {
    top: anchor.top - gap - height,
    bottom: anchor.top + anchor.height + gap,
    left: anchor.left - gap - panel.width,
    right: anchor.left + anchor.width + gap,
  }[chosenSide]
  const alignedOffset = isVertical
    ? alignPanel(anchor.left, anchor.width, panel.width, align)
    : alignPanel(anchor.top, anchor.height, height, align)
  return {
    side: chosenSide,
    maxHeight,
    left: clampToWindow(isVertical ? alignedOffset : crossOffset, viewport.width - panel.width),
    top: clampToWindow(isVertical ? crossOffset : alignedOffset, viewport.height - height),
  }
}

function alignPanel(start: number, length: number, panelLength: number, align: Align): number {
  if (align === 'start') return start
  const freeSpace = length - panelLength
  return align === 'end' ? start + freeSpace : start + freeSpace / 2
}

function clampToWindow(position: number, maxPosition: number): number {
  return Math.round(Math.max(windowMargin, Math.min(position, maxPosition - windowMargin)))
}
