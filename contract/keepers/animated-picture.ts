import { hasText } from './detect-media-type.ts'

const webpAnimationFlag = 0x02

/** Whether a GIF, PNG or WebP can be animated. Such pictures get no small version, because it would be still. */
export function isAnimatedPicture(bytes: Uint8Array): boolean {
  if (hasText(bytes, 0, 'GIF8')) return true
  if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 12, 'VP8X')) return ((bytes[20] ?? 0) & webpAnimationFlag) !== 0
  return hasText(bytes, 1, 'PNG') && hasAnimationChunk(bytes)
}

/** `acTL` comes before the first image data. */
function hasAnimationChunk(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 8; offset + 8 <= bytes.length; offset += 12 + view.getUint32(offset)) {
    if (hasText(bytes, offset + 4, 'acTL')) return true
    if (hasText(bytes, offset + 4, 'IDAT')) return false
  }
  return false
}
