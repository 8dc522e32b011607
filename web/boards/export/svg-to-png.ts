import { convertCanvasToPng } from '#web/ui/hooks/canvas-to-png.ts'
import type { DrawnBoard } from './board-svg.ts'

/** Canvas limits of all supported browsers, in pixels. */
const maxSide = 16_000
const maxPixels = 64_000_000

/** The requested scale, reduced to fit the canvas limits. */
export function getScale({ width, height }: Pick<DrawnBoard, 'width' | 'height'>, requestedScale: number): number {
  return Math.min(requestedScale, maxSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)))
}

/** Rasterizes through an image element, which runs no scripts and makes no requests. */
export async function svgToPng({ svg, width, height }: DrawnBoard, scale: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.floor(width * scale))
    canvas.height = Math.max(1, Math.floor(height * scale))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser can’t draw images.')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await convertCanvasToPng(canvas)
  } finally {
    URL.revokeObjectURL(url)
  }
}
