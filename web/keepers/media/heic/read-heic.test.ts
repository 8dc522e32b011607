import { expect, it } from 'vitest'
import { createHeic } from '#tests/heic-file.ts'
import { readHeic, readSignalType } from './read-heic.ts'

const read = (file: Buffer) => readHeic(new Uint8Array(file).buffer)

it('one picture is one tile, with the parameter sets before its slice', () => {
  const { width, height, tiles, transforms, colors } = read(createHeic())
  expect({ width, height, transforms, positions: tiles.map(({ x, y }) => [x, y]) }).toEqual({
    width: 64,
    height: 64,
    transforms: [],
    positions: [[0, 0]],
  })
  expect(Buffer.from(tiles[0]?.bitstream ?? []).toString('hex')).toMatch(/^000000014001.*000000014201.*0000000128/)
  expect(colors, 'from the bitstream').toEqual({ red: 0.299, blue: 0.114, isFullRange: true, space: 'srgb' })
})

it('a grid written by a phone has its tiles side by side, and its rotation', () => {
  const { width, height, tiles, transforms } = read(createHeic({ columns: 3, quarterTurns: 1 }))
  expect({ width, height, transforms, positions: tiles.map(({ x, y }) => [x, y]) }).toEqual({
    width: 192,
    height: 64,
    transforms: [{ kind: 'rotate', turns: 1 }],
    positions: [
      [0, 0],
      [64, 0],
      [128, 0],
    ],
  })
})

it('a file that is cut off, wrong or of another kind is refused with its reason', () => {
  const file = createHeic({ columns: 2 })
  expect(() => read(file.subarray(0, -10))).toThrow('cut off')
  expect(() => read(createHeic({ columns: 2, claimedColumns: 3 }))).toThrow('wrong number of tiles')
  expect(() => read(Buffer.from(file.toString('latin1').replaceAll('hvc1', 'av01'), 'latin1'))).toThrow(
    'can’t be decoded',
  )
  expect(() => read(Buffer.from('no heic at all'))).toThrow()
  for (let index = 0; index < file.length; index += 1) {
    const damaged = Buffer.from(file)
    damaged[index] = 255 - (damaged[index] ?? 0)
    try {
      expect(read(damaged).tiles.length).toBeLessThan(5)
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
  }
})

it('a parameter set that ends early says nothing about colors', () => {
  expect(readSignalType(Uint8Array.of(0x42, 1, 1, 3))).toBeUndefined()
  expect(readSignalType(new Uint8Array(200))).toBeUndefined()
})
