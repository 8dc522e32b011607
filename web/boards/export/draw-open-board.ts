import { type BoardDocument, toFrameSlug } from '../document/board-document.ts'
import { getReadableColor, sanitizeTheme } from '../layouts/board-colours.ts'
import { type DrawnBoard, type DrawnColors, drawBoard } from './board-svg.ts'
import type { FrameDetails } from './frame-blocks.ts'

/** Uses the board's own theme for the background and the page theme for frames. */
export function drawOpenBoard(board: BoardDocument, frameDetails: ReadonlyMap<string, FrameDetails>): DrawnBoard {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('This browser can’t draw images.')
  return drawBoard({
    document: board,
    colors: getDrawnColors(board),
    frameDetails,
    createMeasure: (font) => (text) => {
      context.font = font
      return context.measureText(text).width
    },
  })
}

function getDrawnColors({ config }: BoardDocument): DrawnColors {
  const style = getComputedStyle(document.documentElement)
  const getPageColor = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const { backgroundColor, accentColor, borderColor } = sanitizeTheme(config.theme)
  return {
    ground: backgroundColor,
    onGround: getReadableColor(backgroundColor, accentColor),
    dots: borderColor,
    card: getPageColor('card'),
    words: getPageColor('card-foreground'),
    quiet: getPageColor('muted-foreground'),
    border: borderColor,
    accent: getPageColor('ribbon'),
    done: getPageColor('success'),
  }
}

export const getBoardFileName = (name: string, extension: string) =>
  `board-${toFrameSlug(name || 'untitled')}.${extension}`
