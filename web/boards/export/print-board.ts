import { type BoardDocument, boxOf } from '../document/board-document.ts'
import { boardFileName, drawOpenBoard } from './draw-open-board.ts'
import type { Known } from './frame-words.ts'

/** Prints one page per frame, top to bottom, and hides the rest of the page while printing. */
export async function printBoard(board: BoardDocument, known: ReadonlyMap<string, Known>): Promise<void> {
  if (board.frames.length === 0) throw new Error('There are no frames on this board. Add one first.')
  const frames = board.frames.toSorted((one, other) => {
    const [first, second] = [boxOf(one), boxOf(other)]
    return first.y - second.y || first.x - second.x
  })
  const pages = document.createElement('div')
  pages.className = 'hidden print:block'
  const addresses: string[] = []
  const clear = () => {
    pages.remove()
    for (const address of addresses) URL.revokeObjectURL(address)
  }
  try {
    for (const frame of frames) {
      const { svg } = drawOpenBoard({ ...board, frames: [frame] }, known)
      const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
      addresses.push(address)
      const image = new Image()
      image.src = address
      image.alt = frame.data.name
      image.className =
        'mx-auto block max-h-[95vh] max-w-full break-after-page break-inside-avoid last:break-after-auto'
      await image.decode()
      pages.append(image)
    }
  } catch (reason) {
    clear()
    throw reason
  }
  // print.css hides these.
  const others = [...document.body.children].filter((each) => !each.hasAttribute('data-chrome'))
  const title = document.title
  for (const each of others) each.setAttribute('data-chrome', '')
  // Browsers suggest the document title as file name.
  document.title = boardFileName(board.config.name, 'pdf').replace(/\.pdf$/, '')
  document.body.append(pages)
  const restore = () => {
    clear()
    for (const each of others) each.removeAttribute('data-chrome')
    document.title = title
  }
  addEventListener('afterprint', restore, { once: true })
  window.print()
}
