import { canvasToPng } from '#web/ui/canvas-to-png.ts'
import type { DrawnBoard } from './board-svg.ts'

/** Canvas limits of all supported browsers, in pixels. */
const mostSide = 16_000
const mostPixels = 64_000_000

/** The requested scale, reduced to fit the canvas limits. */
export function scaleFor({ width, height }: Pick<DrawnBoard, 'width' | 'height'>, wanted: number): number {
  return Math.min(wanted, mostSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)))
}

/** Rasterizes through an image element, which runs no scripts and makes no requests. */
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
    if (!pen) throw new Error('This browser can’t draw images.')
    pen.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await canvasToPng(canvas)
  } finally {
    URL.revokeObjectURL(address)
  }
}
