import { type BoardDocument, toFrameSlug } from '../document/board-document.ts'
import { getReadableColour, sanitizeTheme } from '../layouts/board-colours.ts'
import { type DrawnBoard, type DrawnColours, drawBoard } from './board-svg.ts'
import type { FrameDetails } from './frame-blocks.ts'

/** Uses the board's own theme for the background and the page theme for frames. */
export function drawOpenBoard(board: BoardDocument, frameDetails: ReadonlyMap<string, FrameDetails>): DrawnBoard {
  const pen = document.createElement('canvas').getContext('2d')
  if (!pen) throw new Error('This browser can’t draw images.')
  return drawBoard({
    document: board,
    colours: getDrawnColours(board),
    frameDetails,
    measureIn: (font) => (text) => {
      pen.font = font
      return pen.measureText(text).width
    },
  })
}

function getDrawnColours({ config }: BoardDocument): DrawnColours {
  const style = getComputedStyle(document.documentElement)
  const page = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const { backgroundColor, accentColor, borderColor } = sanitizeTheme(config.theme)
  return {
    ground: backgroundColor,
    onGround: getReadableColour(backgroundColor, accentColor),
    dots: borderColor,
    card: page('card'),
    words: page('card-foreground'),
    quiet: page('muted-foreground'),
    border: borderColor,
    accent: page('ribbon'),
    done: page('success'),
  }
}

export const getBoardFileName = (name: string, extension: string) =>
  `board-${toFrameSlug(name || 'untitled')}.${extension}`
