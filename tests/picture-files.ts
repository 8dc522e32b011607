import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import encode, { init } from '@jsquash/jpeg/encode.js'

interface JpegOptions {
  /** As in EXIF, 1 to 8. */
  orientation?: number
  /** 0 to 1; noise makes a file large. */
  noise?: number
}

let encoder: Promise<unknown> | undefined

/** A JPEG that is red on the left and blue on the right. */
export async function createJpeg(
  width: number,
  height: number,
  { orientation, noise = 0 }: JpegOptions = {},
): Promise<Buffer> {
  encoder ??= readFile('node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm').then((wasmBinary) =>
    init({ wasmBinary } as never),
  )
  await encoder
  const data = createPixels(width, height, noise)
  const image = { data, width, height, colorSpace: 'srgb' } as never
  const jpeg = Buffer.from(await encode(image, { quality: 90, baseline: true, progressive: false }))
  return orientation === undefined ? jpeg : withOrientation(jpeg, orientation)
}

export const withOrientation = (jpeg: Buffer, orientation: number) => withExif(jpeg, createOrientationExif(orientation))

/** A PNG of the same picture. */
export function createPng(width: number, height: number, { extraChunk }: { extraChunk?: string } = {}): Buffer {
  const pixels = createPixels(width, height, 0)
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.from([0]),
    Buffer.from(pixels.buffer, y * width * 4, width * 4),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    createChunk('IHDR', header),
    ...(extraChunk ? [createChunk(extraChunk, Buffer.alloc(8))] : []),
    createChunk('IDAT', deflateSync(Buffer.concat(rows.flat()))),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}

function createPixels(width: number, height: number, noise: number): Uint8ClampedArray<ArrayBuffer> {
  const data = new Uint8ClampedArray(width * height * 4)
  let random = 1
  for (let index = 0; index < data.length; index += 4) {
    random = (random * 48_271) % 2_147_483_647
    const isLeft = (index / 4) % width < width / 2
    data[index] = isLeft ? 230 : 20
    data[index + 1] = (random % 256) * noise
    data[index + 2] = isLeft ? 20 : 230
    data[index + 3] = 255
  }
  return data
}

function createChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length)
  chunk.writeUInt32BE(body.length, 0)
  chunk.write(type, 4, 'latin1')
  body.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length)
  return chunk
}

function createOrientationExif(orientation: number): Buffer {
  const exif = Buffer.alloc(26)
  exif.write('MM\0*', 0, 'latin1')
  exif.writeUInt32BE(8, 4)
  exif.writeUInt16BE(1, 8)
  exif.writeUInt16BE(0x0112, 10)
  exif.writeUInt16BE(3, 12)
  exif.writeUInt32BE(1, 14)
  exif.writeUInt16BE(orientation, 18)
  return exif
}

/** Puts EXIF into a JPEG, directly behind its start. */
export function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(exif.length + 8, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from('Exif\0\0'), exif, jpeg.subarray(2)])
}
