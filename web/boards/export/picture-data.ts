import type { Size } from '../document/board-document.ts'

/** Scale for high-density screens and double-size exports. */
const pixelDensity = 2

/** Returns a `data:` URL scaled down to the frame size. @throws if the blob isn't an image */
export async function toPictureData(blob: Blob, { width, height }: Size): Promise<string> {
  const bitmap = await createImageBitmap(blob)
  // The larger ratio covers both `cover` and `contain`.
  const scale = Math.min(1, Math.max((width * pixelDensity) / bitmap.width, (height * pixelDensity) / bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t draw images.')
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // PNG preserves transparency.
  return blob.type === 'image/jpeg' ? canvas.toDataURL('image/jpeg', 0.85) : canvas.toDataURL('image/png')
}
