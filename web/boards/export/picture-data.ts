import type { Size } from '../document/board-document.ts'

/** Twice what is seen: sharp on fine screens and at double size. */
const detail = 2

/** A picture as `data:`, no larger than a frame of this size can show. @throws where it is no picture */
export async function pictureData(blob: Blob, { width, height }: Size): Promise<string> {
  const bitmap = await createImageBitmap(blob)
  // It fills the frame one way or the other; the longer way decides.
  const share = Math.min(1, Math.max((width * detail) / bitmap.width, (height * detail) / bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * share))
  canvas.height = Math.max(1, Math.round(bitmap.height * share))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser draws no pictures.')
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // What may be seen through stays so.
  return blob.type === 'image/jpeg' ? canvas.toDataURL('image/jpeg', 0.85) : canvas.toDataURL('image/png')
}
