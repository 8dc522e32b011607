import { type BoardDocument, slugOf } from '../document/board-document.ts'
import { checkedTheme, readableOn } from '../layouts/board-colours.ts'
import { type DrawnBoard, type DrawnColours, drawBoard } from './board-svg.ts'
import type { Known } from './frame-words.ts'

/** Uses the board's own theme for the background and the page theme for frames. */
export function drawOpenBoard(board: BoardDocument, known: ReadonlyMap<string, Known>): DrawnBoard {
  const pen = document.createElement('canvas').getContext('2d')
  if (!pen) throw new Error('This browser can’t draw images.')
  return drawBoard({
    document: board,
    colours: coloursOf(board),
    known,
    measureIn: (font) => (text) => {
      pen.font = font
      return pen.measureText(text).width
    },
  })
}

function coloursOf({ config }: BoardDocument): DrawnColours {
  const style = getComputedStyle(document.documentElement)
  const page = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const { backgroundColor, accentColor, borderColor } = checkedTheme(config.theme)
  return {
    ground: backgroundColor,
    onGround: readableOn(backgroundColor, accentColor),
    dots: borderColor,
    card: page('card'),
    words: page('card-foreground'),
    quiet: page('muted-foreground'),
    border: borderColor,
    accent: page('ribbon'),
    done: page('success'),
  }
}

export const boardFileName = (name: string, ending: string) => `board-${slugOf(name || 'untitled')}.${ending}`
