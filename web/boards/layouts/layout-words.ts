import { animationSeconds, type BoardAnimation, type BoardLayout } from '#contract/boards/boards.ts'
import { gridColumns } from './grid-columns.ts'

export const layoutWords: Record<BoardLayout, { name: string; description: string }> = {
  grid: { name: 'Grid', description: 'Rows and columns of a height' },
  column: { name: 'Column', description: 'One below the other' },
  row: { name: 'Row', description: 'Side by side, leafed through' },
  wizard: { name: 'Wizard', description: 'One step at a time' },
  focus: { name: 'Focus', description: 'One large, the others small' },
  canvas: { name: 'Canvas', description: 'Where you put them in Edit' },
}

export const animationNames: Record<BoardAnimation, string> = {
  none: 'None',
  fade: 'Fade',
  slide: 'Slide',
  scale: 'Scale',
}

/** "Fade, 0.3 s" */
export function animationWords(animation: BoardAnimation): string {
  const seconds = animationSeconds[animation]
  return seconds === 0 ? 'Frames are there at once.' : `Frames come in over ${seconds} s.`
}

/** How many columns a board has by a layout, in words. */
export function columnWords(layout: BoardLayout, frames: number): string {
  if (frames === 0) return 'There is no frame yet.'
  const count = frames === 1 ? 'One frame' : `${frames} frames`
  const columns = gridColumns(frames)
  switch (layout) {
    case 'grid':
      if (columns === 1) return `${count}: one column.`
      return columns === 2
        ? `${count}: 2 columns, one on a phone.`
        : `${count}: 3 columns at large widths, 2 on a tablet, one on a phone.`
    case 'column':
      return `${count}: one column at every width.`
    case 'row':
      return `${count}: one row, as wide as it takes.`
    case 'wizard':
      return frames === 1 ? 'One frame: one step.' : `${count}: ${frames} steps, or fewer where frames stand together.`
    case 'focus':
      return frames === 1 ? 'One frame, large.' : `${count}: one large, a card for each below.`
    case 'canvas':
      return `${count}: each where it stands.`
  }
}
