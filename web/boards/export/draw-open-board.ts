import { type BoardDocument, toFrameSlug } from '../document/board-document.ts'
import { getReadableColour, sanitizeTheme } from '../layouts/board-colours.ts'
import { type DrawnBoard, type DrawnColours, drawBoard } from './board-svg.ts'
import type { FrameDetails } from './frame-blocks.ts'

/** Uses the board's own theme for the background and the page theme for frames. */
export function drawOpenBoard(board: BoardDocument, frameDetails: ReadonlyMap<string, FrameDetails>): DrawnBoard {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('This browser can’t draw images.')
  return drawBoard({
    document: board,
    colours: getDrawnColours(board),
    frameDetails,
    createMeasure: (font) => (text) => {
      context.font = font
      return context.measureText(text).width
    },
  })
}

function getDrawnColours({ config }: BoardDocument): DrawnColours {
  const style = getComputedStyle(document.documentElement)
  const getPageColour = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const { backgroundColor, accentColor, borderColor } = sanitizeTheme(config.theme)
  return {
    ground: backgroundColor,
    onGround: getReadableColour(backgroundColor, accentColor),
    dots: borderColor,
    card: getPageColour('card'),
    words: getPageColour('card-foreground'),
    quiet: getPageColour('muted-foreground'),
    border: borderColor,
    accent: getPageColour('ribbon'),
    done: getPageColour('success'),
  }
}

export const getBoardFileName = (name: string, extension: string) =>
  `board-${toFrameSlug(name || 'untitled')}.${extension}`
