import { HEVCDecoder, type HEVCFrame } from '@hevcjs/core'
import createDecoderModule from '@hevcjs/wasm/hevc-decode.js'
import wasmBinaryUrl from '@hevcjs/wasm/hevc-decode.wasm?url'
import { type HeicColors, type HeicPicture, type HeicTransform, readHeic } from './read-heic.ts'

export type HeicReply = { picture: Blob } | { error: string }

/** The library looks here for its module. */
Object.assign(globalThis, { HEVCDecoderModule: createDecoderModule })

/** Larger pictures are scaled down: a canvas takes 4 bytes per pixel. */
const maxCanvasPixels = 50_000_000
const quality = 0.92

addEventListener('message', async ({ data }: MessageEvent<ArrayBuffer>) => {
  let reply: HeicReply
  try {
    reply = { picture: await decodePicture(readHeic(data)) }
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) }
  }
  postMessage(reply)
})

async function decodePicture(picture: HeicPicture): Promise<Blob> {
  const { width, height, tiles, colors } = picture
  const scale = Math.min(1, Math.sqrt(maxCanvasPixels / (width * height)))
  let canvas = new OffscreenCanvas(Math.floor(width * scale), Math.floor(height * scale))
  const context = requireContext(canvas)
  for (const { x, y, bitstream } of tiles) {
    const decoder = await HEVCDecoder.create({ wasmBinaryUrl })
    try {
      const { frames, info } = decoder.decode(bitstream)
      const [frame] = frames
      if (!frame) throw new Error('A tile of this HEIC file has no picture')
      const pixels = new ImageData(
        toRgba(frame, { ...colors, isGray: info?.chromaFormat === 0 }),
        frame.width,
        frame.height,
        { colorSpace: colors.space },
      )
      if (scale === 1) context.putImageData(pixels, x, y)
      else await drawScaled(context, pixels, { x, y, scale })
    } finally {
      decoder.destroy()
    }
  }
  for (const transform of picture.transforms) canvas = applyTransform(canvas, transform, scale)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}

function requireContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t draw in the background')
  return context
}

async function drawScaled(
  context: OffscreenCanvasRenderingContext2D,
  pixels: ImageData,
  { x, y, scale }: { x: number; y: number; scale: number },
): Promise<void> {
  const bitmap = await createImageBitmap(pixels)
  const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)]
  // Whole pixels, so that no seam shows between tiles.
  const right = Math.ceil((x + pixels.width) * scale)
  const bottom = Math.ceil((y + pixels.height) * scale)
  context.drawImage(bitmap, left, top, right - left, bottom - top)
  bitmap.close()
}

function applyTransform(source: OffscreenCanvas, transform: HeicTransform, scale: number): OffscreenCanvas {
  const { width, height } = source
  if (transform.kind === 'crop') {
    const toPixels = (length: number) => Math.round(length * scale)
    const canvas = new OffscreenCanvas(Math.max(1, toPixels(transform.width)), Math.max(1, toPixels(transform.height)))
    requireContext(canvas).drawImage(source, -toPixels(transform.x), -toPixels(transform.y))
    return canvas
  }
  const isSideways = transform.kind === 'rotate' && transform.turns % 2 === 1
  const canvas = isSideways ? new OffscreenCanvas(height, width) : new OffscreenCanvas(width, height)
  const context = requireContext(canvas)
  context.translate(canvas.width / 2, canvas.height / 2)
  if (transform.kind === 'rotate') context.rotate((-transform.turns * Math.PI) / 2)
  else context.scale(transform.isUpsideDown ? 1 : -1, transform.isUpsideDown ? -1 : 1)
  context.drawImage(source, -width / 2, -height / 2)
  return canvas
}

/** Range of 8-bit values in video, which uses less than 0 to 255 (BT.601). */
const videoRange = { black: 16, luma: 219, chroma: 224 }

/** Converts the luma and chroma of a decoded frame to pixels. */
function toRgba(
  frame: HEVCFrame,
  { red, blue, isFullRange, isGray }: HeicColors & { isGray: boolean },
): Uint8ClampedArray<ArrayBuffer> {
  const { y, cb, cr, width, height, chromaWidth, chromaHeight, bitDepth } = frame
  const maxValue = 2 ** bitDepth - 1
  const eightBitStep = 2 ** (bitDepth - 8)
  const neutralChroma = 2 ** (bitDepth - 1)
  const black = isFullRange ? 0 : videoRange.black * eightBitStep
  const lumaScale = 255 / (isFullRange ? maxValue : videoRange.luma * eightBitStep)
  const chromaScale = 255 / (isFullRange ? maxValue : videoRange.chroma * eightBitStep)
  const green = 1 - red - blue
  const redFactor = 2 * (1 - red) * chromaScale
  const blueFactor = 2 * (1 - blue) * chromaScale
  const blueInGreen = (blue / green) * blueFactor
  const redInGreen = (red / green) * redFactor
  const shiftX = chromaWidth < width ? 1 : 0
  const shiftY = chromaHeight < height ? 1 : 0
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let row = 0; row < height; row += 1) {
    const chromaRowStart = (row >> shiftY) * chromaWidth
    for (let column = 0; column < width; column += 1) {
      const pixelIndex = row * width + column
      const chromaIndex = chromaRowStart + (column >> shiftX)
      const luma = ((y[pixelIndex] ?? 0) - black) * lumaScale
      const blueChroma = isGray ? 0 : (cb[chromaIndex] ?? neutralChroma) - neutralChroma
      const redChroma = isGray ? 0 : (cr[chromaIndex] ?? neutralChroma) - neutralChroma
      const offset = pixelIndex * 4
      pixels[offset] = luma + redChroma * redFactor
      pixels[offset + 1] = luma - blueChroma * blueInGreen - redChroma * redInGreen
      pixels[offset + 2] = luma + blueChroma * blueFactor
      pixels[offset + 3] = 255
    }
  }
  return pixels
}
