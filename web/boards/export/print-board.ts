import { type BoardDocument, getFrameBox } from '../document/board-document.ts'
import { drawOpenBoard, getBoardFileName } from './draw-open-board.ts'
import type { FrameDetails } from './frame-blocks.ts'

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
      const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
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
