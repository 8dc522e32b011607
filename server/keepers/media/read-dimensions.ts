import { imageSize } from 'image-size'

/** File bytes in which the dimensions are looked for; camera metadata comes before them. */
export const dimensionBytes = 256 * 1024

/** No picture is larger; a header that says so is broken (px). */
const maxSide = 100_000

export interface Dimensions {
  width: number
  height: number
}

/** Size of a picture in px as displayed, from its header; undefined for a file without one. */
export function readDimensions(head: Uint8Array): Dimensions | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(head)
    if (!(width > 0 && height > 0 && Math.max(width, height) <= maxSide)) return undefined
    return orientation >= 5 || isTurned(head) ? { width: height, height: width } : { width, height }
  } catch {
    return undefined
  }
}

const turnBox = Buffer.from('\0\0\0\x09irot', 'latin1')
const maxMetaBytes = 64 * 1024

/** HEIC and AVIF turn the whole picture by a box of its metadata. */
function isTurned(head: Uint8Array): boolean {
  const meta = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, maxMetaBytes))
  if (meta.toString('latin1', 4, 8) !== 'ftyp') return false
  const at = meta.indexOf(turnBox)
  return at >= 0 && ((meta[at + turnBox.length] ?? 0) & 1) === 1
}
