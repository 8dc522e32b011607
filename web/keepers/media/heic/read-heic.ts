import { createFile, Log, type MP4BoxBuffer } from 'mp4box'

/** Part of a picture, as one HEVC bitstream. */
interface HeicTile {
  x: number
  y: number
  bitstream: Uint8Array
}

export type HeicTransform =
  | { kind: 'crop'; x: number; y: number; width: number; height: number }
  /** Quarter turns against the clock. */
  | { kind: 'rotate'; turns: number }
  | { kind: 'mirror'; isUpsideDown: boolean }

export interface HeicPicture {
  width: number
  height: number
  tiles: HeicTile[]
  transforms: HeicTransform[]
  colors: HeicColors
}

export interface HeicColors {
  /** Weights of red and blue in the luma. */
  red: number
  blue: number
  isFullRange: boolean
  space: PredefinedColorSpace
}

// The library warns about boxes that it reads correctly.
Object.assign(Log, { warn() {}, error() {} })

const maxSide = 32_768
const maxPixels = 250_000_000
const maxTiles = 4096

interface Item {
  type: string
  ref_to: { type: string; id: number | { to_item_ID: number } }[]
  extents?: { offset: number; length: number }[]
  properties?: { boxes: Property[] }
}

interface Property {
  type: string
  [field: string]: unknown
}

/** The primary picture of a HEIC file: one item, or a grid of tiles as phones write it.
 * @throws Error for a file that has another form or is damaged */
export function readHeic(bytes: ArrayBuffer): HeicPicture {
  const file = createFile(true)
  const buffer = bytes as MP4BoxBuffer
  buffer.fileStart = 0
  file.appendBuffer(buffer)
  file.flush()
  const meta = file.meta as unknown as { pitm?: { item_id: number } } | undefined
  const items = file.items as unknown as Record<number, Item>
  const declaredItem = requireItem(items, meta?.pitm?.item_id)
  const primaryItem = declaredItem.type === 'iden' ? requireItem(items, listSources(declaredItem)[0]) : declaredItem
  const { width, height } = readSize(primaryItem)
  const gridTiles = primaryItem.type === 'grid' ? readGrid(bytes, items, primaryItem, { width, height }) : undefined
  const tiles = (gridTiles ?? [{ item: primaryItem, x: 0, y: 0 }]).map(({ item, x, y }) => ({
    x,
    y,
    units: readUnits(bytes, item),
  }))
  const signalType = tiles.flatMap(({ units }) => units.filter(isParameterSet)).map(readSignalType)[0]
  const itemsWithTransforms = declaredItem === primaryItem ? [primaryItem] : [primaryItem, declaredItem]
  return {
    width,
    height,
    tiles: tiles.map(({ x, y, units }) => ({ x, y, bitstream: joinBytes(units.flatMap((unit) => [startCode, unit])) })),
    transforms: itemsWithTransforms
      .flatMap(getProperties)
      .flatMap((property) => readTransform(property, { width, height })),
    colors: readColors([primaryItem, ...(gridTiles?.map(({ item }) => item) ?? [])].flatMap(getProperties), signalType),
  }
}

const getProperties = (item: Item): Property[] => item.properties?.boxes ?? []
const findProperty = (item: Item, type: string): Property | undefined =>
  getProperties(item).find((property) => property.type === type)

function requireItem(items: Record<number, Item>, id: number | undefined): Item {
  const item = id === undefined ? undefined : items[id]
  if (!item) throw new Error('This HEIC file names no picture')
  return item
}

function readSize(item: Item): { width: number; height: number } {
  const extents = findProperty(item, 'ispe')
  const [width, height] = [extents?.image_width, extents?.image_height]
  if (!isSide(width) || !isSide(height) || width * height > maxPixels)
    throw new Error('This HEIC file has no valid size')
  return { width, height }
}

const isSide = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxSide

/** The items that another item is derived from, in order. */
const listSources = (item: Item) =>
  item.ref_to.filter(({ type }) => type === 'dimg').map(({ id }) => (typeof id === 'number' ? id : id.to_item_ID))

/** Tiles row by row, all of the size of the first. */
function readGrid(
  bytes: ArrayBuffer,
  items: Record<number, Item>,
  grid: Item,
  { width, height }: { width: number; height: number },
): { item: Item; x: number; y: number }[] {
  const [, , lastRow = 0, lastColumn = 0] = readBytes(bytes, grid)
  const [rowCount, columnCount] = [lastRow + 1, lastColumn + 1]
  const ids = listSources(grid)
  const tileCount = rowCount * columnCount
  if (ids.length !== tileCount || tileCount > maxTiles) throw new Error('This HEIC file has a wrong number of tiles')
  const tiles = ids.map((id) => requireItem(items, id))
  const tileSize = readSize(tiles[0] ?? grid)
  if (tileSize.width * columnCount < width || tileSize.height * rowCount < height)
    throw new Error('The tiles of this HEIC file don’t cover its picture')
  return tiles.map((item, index) => ({
    item,
    x: (index % columnCount) * tileSize.width,
    y: Math.floor(index / columnCount) * tileSize.height,
  }))
}

function readBytes(bytes: ArrayBuffer, item: Item): Uint8Array {
  const parts = (item.extents ?? []).map(({ offset, length }) => {
    if (!(offset >= 0 && length >= 0 && offset + length <= bytes.byteLength))
      throw new Error('This HEIC file is cut off')
    return new Uint8Array(bytes, offset, length)
  })
  return joinBytes(parts)
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

const startCode = Uint8Array.of(0, 0, 0, 1)

/** The parameter sets and slices of an item. */
function readUnits(bytes: ArrayBuffer, item: Item): Uint8Array[] {
  const configuration = findProperty(item, 'hvcC') as
    | { lengthSizeMinusOne: number; nalu_arrays: Iterable<{ data: Uint8Array }>[] }
    | undefined
  if (item.type !== 'hvc1' || !configuration) throw new Error(`A HEIC picture of type ${item.type} can’t be decoded`)
  const units = configuration.nalu_arrays.flatMap((array) => [...array].map(({ data }) => data))
  const data = readBytes(bytes, item)
  const lengthSize = (configuration.lengthSizeMinusOne & 3) + 1
  let index = 0
  while (index + lengthSize <= data.length) {
    const length = data.subarray(index, index + lengthSize).reduce((value, byte) => value * 256 + byte, 0)
    index += lengthSize
    if (index + length > data.length) throw new Error('This HEIC file is cut off')
    units.push(data.subarray(index, index + length))
    index += length
  }
  return units
}

/** Transforms are applied in the order in which the file lists them. */
function readTransform(property: Property, size: { width: number; height: number }): HeicTransform[] {
  if (property.type === 'irot') return [{ kind: 'rotate', turns: Number(property.angle) & 3 }]
  if (property.type === 'imir') return [{ kind: 'mirror', isUpsideDown: property.axis === 0 }]
  return property.type === 'clap' ? [readCrop(property, size)] : []
}

function readCrop(property: Property, size: { width: number; height: number }): HeicTransform {
  // Numerators are signed, but the library reads them as unsigned.
  const divide = (name: string) => (Number(property[`${name}N`]) | 0) / Number(property[`${name}D`])
  const [width, height] = [Math.round(divide('cleanApertureWidth')), Math.round(divide('cleanApertureHeight'))]
  const x = Math.round(divide('horizOff') + (size.width - width) / 2)
  const y = Math.round(divide('vertOff') + (size.height - height) / 2)
  const isInside = width > 0 && height > 0 && x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height
  if (!isInside) throw new Error('This HEIC file has a wrong crop')
  return { kind: 'crop', x, y, width, height }
}

const displayP3Primaries = 12
const bt601Weights = [0.299, 0.114] as const
/** By matrix coefficients: BT.709 and BT.2020. */
const lumaWeights: Record<number, readonly [red: number, blue: number]> = { 1: [0.2126, 0.0722], 9: [0.2627, 0.0593] }

/** From the color box, otherwise from the bitstream, otherwise with the brightness of BT.601 in video range. */
function readColors(properties: readonly Property[], signalType: SignalType | undefined): HeicColors {
  const boxes = properties.filter(({ type }) => type === 'colr')
  const box = boxes.find(({ colour_type }) => colour_type === 'nclx')
  const profile = boxes.find(({ ICC_profile }) => ICC_profile)?.ICC_profile as Uint8Array | undefined
  const [red, blue] = lumaWeights[Number(box?.matrix_coefficients ?? signalType?.matrix)] ?? bt601Weights
  const isProfileP3 = profile !== undefined && toLatin1(profile).includes('Display P3')
  const isP3 = Number(box?.colour_primaries ?? signalType?.primaries) === displayP3Primaries || isProfileP3
  const isFullRange = box ? Boolean(box.full_range_flag) : (signalType?.isFullRange ?? false)
  return { red, blue, isFullRange, space: isP3 ? 'display-p3' : 'srgb' }
}

/** Names in profiles are in one or two bytes per letter. */
const toLatin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 4096)).replaceAll('\0', '')

interface SignalType {
  isFullRange: boolean
  /** As in ISO 23091-2. */
  primaries: number
  matrix: number
}

/** How a bitstream stores colors, from its sequence parameter set (H.265, 7.3.2.2 and E.2.1). Undefined if it doesn't say. */
export function readSignalType(unit: Uint8Array): SignalType | undefined {
  try {
    return readParameterSet(new BitReader(unit.subarray(2)))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const sequenceParameterSetType = 33
const isParameterSet = (unit: Uint8Array): boolean => (((unit[0] ?? 0) >> 1) & 63) === sequenceParameterSetType

const fullChromaFormat = 3

function readParameterSet(bits: BitReader): SignalType | undefined {
  bits.skip(4)
  const subLayers = bits.read(3)
  bits.skip(1)
  skipProfile(bits, subLayers)
  bits.readExponential()
  const chromaFormat = bits.readExponential()
  if (chromaFormat === fullChromaFormat) bits.skip(1)
  bits.skipExponential(2)
  const hasCrop = bits.readFlag()
  if (hasCrop) bits.skipExponential(4)
  bits.skipExponential(2)
  const pictureOrderBits = bits.readExponential() + 4
  const hasOrderPerSubLayer = bits.readFlag()
  bits.skipExponential(hasOrderPerSubLayer ? 3 * (subLayers + 1) : 3)
  bits.skipExponential(6)
  const usesScalingLists = bits.readFlag()
  const hasScalingLists = usesScalingLists && bits.readFlag()
  if (hasScalingLists) skipScalingLists(bits)
  bits.skip(2)
  const hasUncompressedBlocks = bits.readFlag()
  if (hasUncompressedBlocks) {
    bits.skip(8)
    bits.skipExponential(2)
    bits.skip(1)
  }
  skipReferences(bits, pictureOrderBits)
  bits.skip(2)
  const hasVideoUsability = bits.readFlag()
  return hasVideoUsability ? readVideoUsability(bits) : undefined
}

function skipProfile(bits: BitReader, subLayers: number): void {
  bits.skip(96)
  const flags = Array.from({ length: subLayers }, () => [bits.readFlag(), bits.readFlag()])
  if (subLayers > 0) bits.skip(2 * (8 - subLayers))
  for (const [hasProfile, hasLevel] of flags) bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
}

function skipScalingLists(bits: BitReader): void {
  for (let size = 0; size < 4; size += 1)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1)
      if (!bits.readFlag()) bits.readExponential()
      else bits.skipExponential(countCoefficients(size))
}

function countCoefficients(size: number): number {
  const matrixCount = Math.min(64, 16 << (size * 2))
  const hasSeparateAverage = size > 1
  return hasSeparateAverage ? matrixCount + 1 : matrixCount
}

/** A still picture has at most one set; several can depend on each other. @throws RangeError for several */
function skipReferences(bits: BitReader, pictureOrderBits: number): void {
  const setCount = bits.readExponential()
  if (setCount > 1) throw new RangeError('Several sets of reference pictures')
  if (setCount === 1)
    for (let count = bits.readExponential() + bits.readExponential(); count > 0; count -= 1) {
      bits.readExponential()
      bits.skip(1)
    }
  const hasLongTermReferences = bits.readFlag()
  if (hasLongTermReferences) bits.skip(bits.readExponential() * (pictureOrderBits + 1))
}

const explicitAspectRatio = 255
const unknownColors = 2

function readVideoUsability(bits: BitReader): SignalType | undefined {
  const hasAspectRatio = bits.readFlag()
  if (hasAspectRatio && bits.read(8) === explicitAspectRatio) bits.skip(32)
  const hasOverscan = bits.readFlag()
  if (hasOverscan) bits.skip(1)
  const hasSignalType = bits.readFlag()
  if (!hasSignalType) return undefined
  bits.skip(3)
  const isFullRange = bits.readFlag()
  const hasColorDescription = bits.readFlag()
  if (!hasColorDescription) return { isFullRange, primaries: unknownColors, matrix: unknownColors }
  const primaries = bits.read(8)
  bits.skip(8)
  return { isFullRange, primaries, matrix: bits.read(8) }
}

/** Reads bits, without the bytes that prevent accidental start codes. Its methods throw RangeError past the end. */
class BitReader {
  readonly #bytes: number[] = []
  #position = 0

  constructor(payload: Uint8Array) {
    for (let index = 0; index < payload.length; index += 1)
      if (payload[index] !== 3 || payload[index - 1] !== 0 || payload[index - 2] !== 0)
        this.#bytes.push(payload[index] ?? 0)
  }

  read(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit += 1) {
      const byte = this.#bytes[this.#position >> 3]
      if (byte === undefined) throw new RangeError('The parameter set is too short')
      value = value * 2 + ((byte >> (7 - (this.#position & 7))) & 1)
      this.#position += 1
    }
    return value
  }

  readFlag(): boolean {
    return this.read(1) === 1
  }

  skip(count: number): void {
    this.#position += count
  }

  readExponential(): number {
    let zeros = 0
    while (this.read(1) === 0) zeros += 1
    return 2 ** zeros - 1 + this.read(zeros)
  }

  skipExponential(count: number): void {
    for (let skipped = 0; skipped < count; skipped += 1) this.readExponential()
  }
}
