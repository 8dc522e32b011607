import { readFile } from 'node:fs/promises'
import decodeWebp, { init } from '@jsquash/webp/decode.js'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createJpeg, createPng } from '#tests/picture-files.ts'
import { readDimensions } from './inspect-media.ts'
import { shrinkPicture } from './shrink-picture.ts'

/** `red` or `blue`, for the corners from the top left clockwise. */
async function readCorners(webp: Buffer | undefined): Promise<{ width: number; height: number; corners: string[] }> {
  if (!webp) throw new Error('There is no small version')
  const { data, width, height } = await decodeWebp(new Uint8Array(webp).buffer)
  const getColor = (x: number, y: number) => {
    const at = (y * width + x) * 4
    return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue'
  }
  const [right, bottom] = [width - 9, height - 9]
  return { width, height, corners: [getColor(8, 8), getColor(right, 8), getColor(right, bottom), getColor(8, bottom)] }
}

describe('a small version', () => {
  let large: Buffer
  beforeAll(async () => {
    await init({ wasmBinary: await readFile('node_modules/@jsquash/webp/codec/dec/webp_dec.wasm') } as never)
    large = await createJpeg(1600, 900, { noise: 0.4 })
  })

  it('has 640 px on its longest side and the shape of the picture', async () => {
    const small = await shrinkPicture(large, 'image/jpeg')
    expect(await readCorners(small)).toMatchObject({ width: 640, height: 360, corners: ['red', 'blue', 'blue', 'red'] })
    expect(small?.length).toBeLessThan(large.length / 4)
    const png = createPng(1300, 2600)
    expect(await readCorners(await shrinkPicture(png, 'image/png'))).toMatchObject({ width: 320, height: 640 })
  })

  it.each([
    [1, 640, 'red blue blue red'],
    [2, 640, 'blue red red blue'],
    [3, 640, 'blue red red blue'],
    [4, 640, 'red blue blue red'],
    [5, 320, 'red red blue blue'],
    [6, 320, 'red red blue blue'],
    [7, 320, 'blue blue red red'],
    [8, 320, 'blue blue red red'],
  ])('of a picture with the orientation %i is upright', async (orientation, width, corners) => {
    const jpeg = await createJpeg(1400, 700, { orientation })
    const small = await readCorners(await shrinkPicture(jpeg, 'image/jpeg'))
    expect({ width: small.width, corners: small.corners.join(' ') }).toEqual({ width, corners })
    expect(readDimensions(jpeg)).toEqual(orientation < 5 ? { width: 1400, height: 700 } : { width: 700, height: 1400 })
  })

  it('is not made of a small, an animated, an enormous or another file', async () => {
    expect(await shrinkPicture(await createJpeg(600, 400), 'image/jpeg')).toBeUndefined()
    expect(await shrinkPicture(createPng(1400, 700, { extraChunk: 'acTL' }), 'image/png')).toBeUndefined()
    expect(await shrinkPicture(large, 'image/heic')).toBeUndefined()
    const bomb = createPng(1400, 700)
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    expect(await shrinkPicture(bomb, 'image/png')).toBeUndefined()
  })

  it('a broken picture fails and leaves the next one whole', async () => {
    expect(await shrinkPicture(large.subarray(0, 100), 'image/jpeg')).toBeUndefined()
    const holes = Buffer.from(large)
    holes.fill(0xff, 800, 4000)
    await shrinkPicture(holes, 'image/jpeg').catch(() => undefined)
    expect(await readCorners(await shrinkPicture(large, 'image/jpeg'))).toMatchObject({ width: 640 })
  })

  it('dimensions of any bytes are possible ones or none', () => {
    const starts = ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'RIFF\0\0\0\0WEBPVP8X', '\0\0\0\x18ftypheic', 'GIF89a']
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, content) => {
        const dimensions = readDimensions(Buffer.concat([Buffer.from(start, 'latin1'), content]))
        return dimensions === undefined || Math.max(dimensions.width, dimensions.height) <= 100_000
      }),
      { numRuns: 500 },
    )
  })
})
