export interface SignalType {
  isFullRange: boolean
  /** As in ISO 23091-2; 2 is unknown. */
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

export const isParameterSet = (unit: Uint8Array): boolean => (((unit[0] ?? 0) >> 1) & 63) === 33

function readParameterSet(bits: BitReader): SignalType | undefined {
  bits.skip(4)
  const subLayers = bits.read(3)
  bits.skip(1)
  skipProfile(bits, subLayers)
  bits.readExponential()
  if (bits.readExponential() === 3) bits.skip(1)
  bits.skipExponential(2)
  if (bits.read(1)) bits.skipExponential(4)
  bits.skipExponential(2)
  const pictureOrderBits = bits.readExponential() + 4
  bits.skipExponential(bits.read(1) ? 3 * (subLayers + 1) : 3)
  bits.skipExponential(6)
  if (bits.read(1) && bits.read(1)) skipScalingLists(bits)
  bits.skip(2)
  if (bits.read(1)) {
    bits.skip(8)
    bits.skipExponential(2)
    bits.skip(1)
  }
  skipReferences(bits, pictureOrderBits)
  bits.skip(2)
  return bits.read(1) ? readUsability(bits) : undefined
}

function skipProfile(bits: BitReader, subLayers: number): void {
  bits.skip(96)
  const flags = Array.from({ length: subLayers }, () => [bits.read(1), bits.read(1)])
  if (subLayers > 0) bits.skip(2 * (8 - subLayers))
  for (const [hasProfile, hasLevel] of flags) bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
}

function skipScalingLists(bits: BitReader): void {
  for (let size = 0; size < 4; size += 1)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1)
      if (!bits.read(1)) bits.readExponential()
      else bits.skipExponential(Math.min(64, 16 << (size * 2)) + (size > 1 ? 1 : 0))
}

/** A still picture has at most one set; several can depend on each other. @throws RangeError for several */
function skipReferences(bits: BitReader, pictureOrderBits: number): void {
  const sets = bits.readExponential()
  if (sets > 1) throw new RangeError('Several sets of reference pictures')
  if (sets === 1)
    for (let count = bits.readExponential() + bits.readExponential(); count > 0; count -= 1) {
      bits.readExponential()
      bits.skip(1)
    }
  if (bits.read(1)) bits.skip(bits.readExponential() * (pictureOrderBits + 1))
}

function readUsability(bits: BitReader): SignalType | undefined {
  if (bits.read(1) && bits.read(8) === 255) bits.skip(32)
  if (bits.read(1)) bits.skip(1)
  if (!bits.read(1)) return undefined
  bits.skip(3)
  const isFullRange = bits.read(1) === 1
  if (!bits.read(1)) return { isFullRange, primaries: 2, matrix: 2 }
  const primaries = bits.read(8)
  bits.skip(8)
  return { isFullRange, primaries, matrix: bits.read(8) }
}

/** Reads bits without the bytes that keep start codes apart. Its methods throw RangeError past the end. */
class BitReader {
  readonly #bytes: number[] = []
  #at = 0

  constructor(payload: Uint8Array) {
    for (let at = 0; at < payload.length; at += 1)
      if (payload[at] !== 3 || payload[at - 1] !== 0 || payload[at - 2] !== 0) this.#bytes.push(payload[at] ?? 0)
  }

  read(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit += 1, this.#at += 1) {
      const byte = this.#bytes[this.#at >> 3]
      if (byte === undefined) throw new RangeError('The parameter set is too short')
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1)
    }
    return value
  }

  skip(count: number): void {
    this.#at += count
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
