export type Vector = Float32Array

const bytesPerNumber = 4
const littleEndian = true

/** Undefined for zero or non-finite vectors. */
export function normalizeVector(values: ArrayLike<number>): Vector | undefined {
  let squares = 0
  for (let index = 0; index < values.length; index++) squares += (values[index] ?? 0) ** 2
  const length = Math.sqrt(squares)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(values, (value) => value / length)
}

/** Little-endian on every machine. */
export function toVectorBytes(vector: Vector): Uint8Array {
  const bytes = new Uint8Array(vector.length * bytesPerNumber)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < vector.length; index++)
    view.setFloat32(index * bytesPerNumber, vector[index] ?? 0, littleEndian)
  return bytes
}

export function parseVectorBytes(bytes: Uint8Array): Vector {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: Math.floor(bytes.byteLength / bytesPerNumber) }, (_, index) =>
    view.getFloat32(index * bytesPerNumber, littleEndian),
  )
}

/** One bit per dimension, 1 for positive, padded to 32-bit words. */
export function toSignBits(vector: Vector): Uint8Array {
  const signBits = new Uint8Array(Math.ceil(vector.length / 32) * 4)
  for (let index = 0; index < vector.length; index++) {
    if ((vector[index] ?? 0) > 0) signBits[index >> 3] = (signBits[index >> 3] ?? 0) | (1 << (index & 7))
  }
  return signBits
}

/** For normalized vectors. */
export function cosineSimilarity(left: Vector, right: Vector): number {
  let dot = 0
  for (let index = 0; index < left.length; index++) dot += (left[index] ?? 0) * (right[index] ?? 0)
  return dot
}
