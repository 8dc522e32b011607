import type { HEVCFrame } from '@hevcjs/core'
import type { HeicColors } from './read-heic.ts'

/** The pixels of a decoded frame. */
export function toRgba(
  frame: HEVCFrame,
  { red, blue, isFullRange, isGray }: HeicColors & { isGray: boolean },
): Uint8ClampedArray<ArrayBuffer> {
  const { y, cb, cr, width, height, chromaWidth, chromaHeight, bitDepth } = frame
  const max = 2 ** bitDepth - 1
  const unit = 2 ** (bitDepth - 8)
  const half = 2 ** (bitDepth - 1)
  const black = isFullRange ? 0 : 16 * unit
  const scale = 255 / (isFullRange ? max : 219 * unit)
  const chromaScale = 255 / (isFullRange ? max : 224 * unit)
  const green = 1 - red - blue
  const toRed = 2 * (1 - red) * chromaScale
  const toBlue = 2 * (1 - blue) * chromaScale
  const blueInGreen = (blue / green) * toBlue
  const redInGreen = (red / green) * toRed
  const shiftX = chromaWidth < width ? 1 : 0
  const shiftY = chromaHeight < height ? 1 : 0
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let row = 0, at = 0; row < height; row += 1) {
    const chromaRow = (row >> shiftY) * chromaWidth
    for (let column = 0; column < width; column += 1, at += 4) {
      const light = ((y[row * width + column] ?? 0) - black) * scale
      const chroma = chromaRow + (column >> shiftX)
      const u = isGray ? 0 : (cb[chroma] ?? half) - half
      const v = isGray ? 0 : (cr[chroma] ?? half) - half
      pixels[at] = light + v * toRed
      pixels[at + 1] = light - u * blueInGreen - v * redInGreen
      pixels[at + 2] = light + u * toBlue
      pixels[at + 3] = 255
    }
  }
  return pixels
}
