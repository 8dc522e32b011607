import { animationSeconds, type BoardAnimation, type BoardLayout } from '#contract/boards/boards.ts'
import { getGridColumns } from './grid-columns.ts'

export const layoutLabels: Record<BoardLayout, { name: string; description: string }> = {
  grid: { name: 'Grid', description: 'Rows and columns of equal height' },
  column: { name: 'Column', description: 'Frames stacked top to bottom' },
  row: { name: 'Row', description: 'Side by side, scrolling sideways' },
  wizard: { name: 'Wizard', description: 'One step at a time' },
  focus: { name: 'Focus', description: 'One large frame, the others small' },
  canvas: { name: 'Canvas', description: 'Wherever you put each frame in Edit' },
}

export const animationNames: Record<BoardAnimation, string> = {
  none: 'None',
  fade: 'Fade',
  slide: 'Slide',
  scale: 'Scale',
}

export function describeAnimation(animation: BoardAnimation): string {
  const seconds = animationSeconds[animation]
  return seconds === 0 ? 'Frames appear right away.' : `Frames appear over ${seconds} s.`
}

export function describeColumns(layout: BoardLayout, frames: number): string {
  if (frames === 0) return 'No frames yet.'
  const count = frames === 1 ? '1 frame' : `${frames} frames`
  const columns = getGridColumns(frames)
  switch (layout) {
    case 'grid':
      if (columns === 1) return `${count}: 1 column.`
      return columns === 2
        ? `${count}: 2 columns, 1 on a phone.`
        : `${count}: 3 columns at large widths, 2 on a tablet, 1 on a phone.`
    case 'column':
      return `${count}: 1 column at every width.`
    case 'row':
      return `${count}: 1 row, as wide as needed.`
    case 'wizard':
      return frames === 1 ? '1 frame: 1 step.' : `${count}: ${frames} steps, or fewer where frames are grouped.`
    case 'focus':
      return frames === 1 ? '1 large frame.' : `${count}: 1 large, the others as cards below.`
    case 'canvas':
      return `${count}: each stays where you put it.`
  }
}
