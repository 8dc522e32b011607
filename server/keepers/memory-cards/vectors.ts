export type Vector = Float32Array

/** Undefined for zero or non-finite vectors. */
export function normalize(values: ArrayLike<number>): Vector | undefined {
  let squares = 0
  for (let at = 0; at < values.length; at++) squares += (values[at] ?? 0) ** 2
  const length = Math.sqrt(squares)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(values, (value) => value / length)
}

/** Little-endian on every machine. */
export function toBytes(vector: Vector): Uint8Array {
  const bytes = new Uint8Array(vector.length * 4)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < vector.length; at++) view.setFloat32(at * 4, vector[at] ?? 0, true)
  return bytes
}

export function fromBytes(bytes: Uint8Array): Vector {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength >> 2 }, (_, at) => view.getFloat32(at * 4, true))
}

/** One bit per dimension, 1 for positive, padded to 32-bit words. */
export function toSigns(vector: Vector): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 32) * 4)
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] ?? 0) > 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7))
  }
  return signs
}

export function cosine(one: Vector, other: Vector): number {
  let dot = 0
  for (let at = 0; at < one.length; at++) dot += (one[at] ?? 0) * (other[at] ?? 0)
  return dot
}
