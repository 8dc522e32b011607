import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js'
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js'
import encodeWebp, { init as initWebpEncoder } from '@jsquash/webp/encode.js'
import { isAnimatedPicture } from '#contract/keepers/animated-picture.ts'
import { needsSmallVersion, smallLongSide } from '#contract/keepers/small-version.ts'
import { readOrientation } from '../shared/without-metadata.ts'
import { readDimensions } from './inspect-media.ts'

/** Decoded, a picture takes 4 bytes per pixel, twice. */
const maxPixels = 50_000_000
/** A file whose header hides its real size meets this limit in the decoder. */
const maxDecoderBytes = 512 * 1024 * 1024
const wasmPageBytes = 65_536
const maxExifBytes = 65_536
const webpQuality = 78

/** Decoded RGBA pixels. */
interface Bitmap {
  data: Uint8ClampedArray
  width: number
  height: number
}

type WasmModule =
  | 'jpeg/codec/dec/mozjpeg_dec'
  | 'png/codec/pkg/squoosh_png_bg'
  | `webp/codec/${'dec' | 'enc'}/${string}`

const ignoreWarnings = { printErr: () => undefined }
const loadWasm = (name: WasmModule) => readFile(fileURLToPath(import.meta.resolve(`@jsquash/${name}.wasm`)))

const codecs = new Map<WasmModule, Promise<unknown>>()
function loadCodec(name: WasmModule, init: (wasm: Buffer) => Promise<unknown>): Promise<unknown> {
  const loading = codecs.get(name) ?? loadWasm(name).then(init)
  codecs.set(name, loading)
  return loading
}

const decoders: Record<string, (bytes: ArrayBuffer) => Promise<Bitmap>> = {
  async 'image/jpeg'(bytes) {
    await loadCodec('jpeg/codec/dec/mozjpeg_dec', (wasmBinary) => initJpegDecoder({ ...ignoreWarnings, wasmBinary }))
    return decodeJpeg(bytes)
  },
  async 'image/png'(bytes) {
    await loadCodec('png/codec/pkg/squoosh_png_bg', (wasm) => initPngDecoder(new Uint8Array(wasm)))
    return decodePng(bytes)
  },
  async 'image/webp'(bytes) {
    await loadCodec('webp/codec/dec/webp_dec', (wasmBinary) => initWebpDecoder({ ...ignoreWarnings, wasmBinary }))
    return decodeWebp(bytes)
  },
}

/** An upright WebP of at most `smallLongSide` px; undefined for a picture that needs or allows none. */
export async function shrinkPicture(bytes: Buffer, mime: string): Promise<Buffer | undefined> {
  const dimensions = readDimensions(bytes)
  const decode = decoders[mime]
  if (!decode || !dimensions || dimensions.width * dimensions.height > maxPixels) return undefined
  if (!needsSmallVersion(dimensions, bytes.length) || isAnimatedPicture(bytes)) return undefined
  setUpDecoders()
  const bitmap = scaleDown(await decode(new Uint8Array(bytes).buffer))
  await loadCodec('webp/codec/enc/webp_enc_simd', (wasmBinary) => initWebpEncoder({ ...ignoreWarnings, wasmBinary }))
  const upright = turnUpright(bitmap, findOrientation(bytes, mime))
  return Buffer.from(await encodeWebp({ ...upright, colorSpace: 'srgb' } as never, { quality: webpQuality }))
}

let areDecodersSetUp = false

function setUpDecoders(): void {
  if (areDecodersSetUp) return
  areDecodersSetUp = true
  // The decoders create their result with this browser class.
  Object.assign(globalThis, {
    ImageData: function ImageData(data: Uint8ClampedArray, width: number, height: number) {
      return { data, width, height }
    },
  })
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (pages: number) {
    if (this.buffer.byteLength + pages * wasmPageBytes > maxDecoderBytes)
      throw new RangeError('The picture is too large')
    return grow.call(this, pages)
  }
}

/** Averages the source pixels of each target pixel, with colors weighted by their opacity. */
function scaleDown({ data, width, height }: Bitmap): Bitmap {
  const scale = Math.min(1, smallLongSide / Math.max(width, height))
  const target = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const averaged = new Uint8ClampedArray(target.width * target.height * 4)
  for (let y = 0; y < target.height; y++) {
    const top = Math.floor((y * height) / target.height)
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / target.height))
    for (let x = 0; x < target.width; x++) {
      const left = Math.floor((x * width) / target.width)
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / target.width))
      let red = 0
      let green = 0
      let blue = 0
      let alpha = 0
      for (let row = top; row < bottom; row++)
        for (let index = (row * width + left) * 4, end = (row * width + right) * 4; index < end; index += 4) {
          const opacity = data[index + 3] as number
          red += (data[index] as number) * opacity
          green += (data[index + 1] as number) * opacity
          blue += (data[index + 2] as number) * opacity
          alpha += opacity
        }
      const weight = alpha || 1
      const targetIndex = (y * target.width + x) * 4
      averaged[targetIndex] = red / weight
      averaged[targetIndex + 1] = green / weight
      averaged[targetIndex + 2] = blue / weight
      averaged[targetIndex + 3] = alpha / ((bottom - top) * (right - left))
    }
  }
  return { data: averaged, ...target }
}

/** The marker before the EXIF of each format, and the number of bytes from the marker to the EXIF. */
const exifMarkers: Record<string, [string, number]> = {
  'image/jpeg': ['Exif\0\0', 6],
  'image/png': ['eXIf', 4],
  'image/webp': ['EXIF', 8],
}

function findOrientation(bytes: Buffer, mime: string): number {
  const [marker, exifOffset] = exifMarkers[mime] ?? ['', 0]
  const markerStart = bytes.indexOf(marker, 0, 'latin1')
  if (markerStart === -1) return 1
  const exifStart = markerStart + exifOffset
  const exif = bytes.subarray(exifStart, exifStart + maxExifBytes)
  return readOrientation(exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)
}

/** `orientation`: 1 to 8 as in EXIF. */
function turnUpright(bitmap: Bitmap, orientation: number): Bitmap {
  if (orientation === 1) return bitmap
  const { data, width, height } = bitmap
  const isTransposed = orientation >= 5
  const mirrorsX = [2, 3, 7, 8].includes(orientation)
  const mirrorsY = [3, 4, 6, 7].includes(orientation)
  const target = isTransposed ? { width: height, height: width } : { width, height }
  const turned = new Uint8ClampedArray(data.length)
  for (let y = 0; y < target.height; y++)
    for (let x = 0; x < target.width; x++) {
      const [column, row] = isTransposed ? [y, x] : [x, y]
      const sourceX = mirrorsX ? width - 1 - column : column
      const sourceY = mirrorsY ? height - 1 - row : row
      const sourceIndex = (sourceY * width + sourceX) * 4
      turned.set(data.subarray(sourceIndex, sourceIndex + 4), (y * target.width + x) * 4)
    }
  return { data: turned, ...target }
}
