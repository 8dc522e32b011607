import { convertCanvasToPng, createCanvas } from '#web/files/save-file.ts'
import { type BoardDocument, getFrameBox, toFrameSlug } from '../document/board-document.ts'
import { toBoardColors } from '../layouts/board-colors.ts'
import { type DrawnBoard, type DrawnColors, drawBoard } from './board-svg.ts'
import type { FrameDetails } from './frame-details.ts'

/** Uses the board's own theme for the background and the page theme for frames. */
export function drawOpenBoard(board: BoardDocument, frameDetails: ReadonlyMap<string, FrameDetails>): DrawnBoard {
  const { context } = createCanvas(1, 1)
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

const cssVariablePattern = /^var\((.+)\)$/

function getDrawnColors({ config }: BoardDocument): DrawnColors {
  const style = getComputedStyle(document.documentElement)
  const getPageColor = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const colors = toBoardColors(config.theme)
  const getBoardColor = (name: keyof typeof colors) =>
    (colors[name] ?? '').replace(cssVariablePattern, (_, pageColor: string) => style.getPropertyValue(pageColor).trim())
  const border = getBoardColor('--board-border')
  return {
    background: getBoardColor('--board-ground'),
    onBackground: getBoardColor('--board-text'),
    dots: border,
    card: getPageColor('card'),
    text: getPageColor('card-foreground'),
    mutedText: getPageColor('muted-foreground'),
    border,
    accent: getPageColor('ribbon'),
    done: getPageColor('success'),
  }
}

export const getBoardFileName = (name: string, extension: string) =>
  `board-${toFrameSlug(name || 'untitled')}.${extension}`

/** Canvas limits of all supported browsers, in pixels. */
const maxSide = 16_000
const maxPixels = 64_000_000

/** The requested scale, reduced to fit the canvas limits. */
export function getScale({ width, height }: Pick<DrawnBoard, 'width' | 'height'>, requestedScale: number): number {
  return Math.min(requestedScale, maxSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)))
}

export const toSvgBlob = ({ svg }: Pick<DrawnBoard, 'svg'>) => new Blob([svg], { type: 'image/svg+xml' })

/** Rasterizes through an image element, which runs no scripts and makes no requests. */
export async function svgToPng({ svg, width, height }: DrawnBoard, scale: number): Promise<Blob> {
  const url = URL.createObjectURL(toSvgBlob({ svg }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const { canvas, context } = createCanvas(
      Math.max(1, Math.floor(width * scale)),
      Math.max(1, Math.floor(height * scale)),
    )
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await convertCanvasToPng(canvas)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Prints one page per frame, top to bottom, and hides the rest of the page while printing. */
export async function printBoard(board: BoardDocument, frameDetails: ReadonlyMap<string, FrameDetails>): Promise<void> {
  if (board.frames.length === 0) throw new Error('This board has no frames. Add one first.')
  const frames = board.frames.toSorted((a, b) => {
    const [first, second] = [getFrameBox(a), getFrameBox(b)]
    return first.y - second.y || first.x - second.x
  })
  const pages = document.createElement('div')
  pages.className = 'hidden print:block'
  const urls: string[] = []
  const cleanUp = () => {
    pages.remove()
    for (const url of urls) URL.revokeObjectURL(url)
  }
  try {
    for (const frame of frames) {
      const { svg } = drawOpenBoard({ ...board, frames: [frame] }, frameDetails)
      const url = URL.createObjectURL(toSvgBlob({ svg }))
      urls.push(url)
      const image = new Image()
      image.src = url
      image.alt = frame.data.name
      image.className =
        'mx-auto block max-h-[95vh] max-w-full break-after-page break-inside-avoid last:break-after-auto'
      await image.decode()
      pages.append(image)
    }
  } catch (reason) {
    cleanUp()
    throw reason
  }
  // print.css hides these.
  const hiddenElements = [...document.body.children].filter((element) => !element.hasAttribute('data-chrome'))
  const title = document.title
  for (const element of hiddenElements) element.setAttribute('data-chrome', '')
  // Browsers suggest the document title as file name.
  document.title = getBoardFileName(board.config.name, 'pdf').replace(/\.pdf$/, '')
  document.body.append(pages)
  const restore = () => {
    cleanUp()
    for (const element of hiddenElements) element.removeAttribute('data-chrome')
    document.title = title
  }
  addEventListener('afterprint', restore, { once: true })
  window.print()
}
