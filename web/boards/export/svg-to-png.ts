import { canvasToPng } from '#web/ui/canvas-to-png.ts'
import type { DrawnBoard } from './board-svg.ts'

/** What every browser can still draw: pixels of a side, and of the whole. */
const mostSide = 16_000
const mostPixels = 64_000_000

/** How large it can be drawn, at most `wanted`. */
export function scaleFor({ width, height }: Pick<DrawnBoard, 'width' | 'height'>, wanted: number): number {
  return Math.min(wanted, mostSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)))
}

/** The drawing in pixels. It goes through an image, which runs no script and asks for nothing. */
export async function svgToPng({ svg, width, height }: DrawnBoard, scale: number): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.floor(width * scale))
    canvas.height = Math.max(1, Math.floor(height * scale))
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('This browser draws no pictures.')
    pen.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await canvasToPng(canvas)
  } finally {
    URL.revokeObjectURL(address)
  }
}
