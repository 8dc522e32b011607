import { imageSize } from 'image-size'
import { detectMediaType, sniffedBytes } from '#contract/keepers/detect-media-type.ts'
import { describeMediaKinds, mediaKinds } from '#contract/keepers/media.ts'
import { badField } from '#server/http/problem.ts'

interface InspectionOptions {
  /** The media type that the sender states. */
  declaredType: string
  name?: string | undefined
  /** All accepted types by default. */
  accepts?: readonly string[]
  /** The accepted types in words, to follow "Choose" in a message. */
  choices?: string
  /** Accepts bytes without a known signature as their declared type, so that an import keeps every file. */
  keepsUnknown?: boolean
}

/**
 * Detects type and dimensions while the bytes of a file pass through. Throws before the first byte if the type isn't
 * accepted.
 */
export class MediaInspector {
  readonly #options: InspectionOptions
  #head: Buffer = Buffer.alloc(0)
  #mime: string | undefined

  constructor(options: InspectionOptions) {
    this.#options = options
  }

  /** @throws Problem 400 for an empty file and for a type that isn't accepted */
  async *inspect(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      const isChecked = this.#mime !== undefined
      if (this.#head.length < dimensionBytes) this.#head = Buffer.concat([this.#head, chunk])
      if (isChecked) yield chunk
      else if (this.#head.length >= sniffedBytes) yield this.#check()
    }
    if (this.#mime === undefined) yield this.#check()
  }

  /** Available after {@link inspect}. */
  get mime(): string {
    if (this.#mime === undefined) throw new Error('No bytes were inspected')
    return this.#mime
  }

  get dimensions(): Dimensions | undefined {
    return readDimensions(this.#head)
  }

  #check(): Buffer {
    const { declaredType, name, accepts, choices = describeMediaKinds(mediaKinds), keepsUnknown } = this.#options
    const subject = name?.trim() || 'This file'
    if (this.#head.length === 0) throw badField('body', `${subject} is empty. Choose another file.`)
    const detected = detectMediaType(this.#head, declaredType)
    const hasSignature = detected !== undefined && detected !== 'text/plain'
    const mime = keepsUnknown && !hasSignature ? declaredType : detected
    if (mime === undefined || (accepts && !accepts.includes(mime)))
      throw badField('body', `${subject} is of a kind that can’t be added here. Choose ${choices}.`)
    this.#mime = mime
    return this.#head
  }
}

/** File bytes in which the dimensions are looked for; camera metadata comes before them. */
const dimensionBytes = 256 * 1024

/** Max plausible side length (px); larger values mean a corrupt header. */
const maxSide = 100_000

export interface Dimensions {
  width: number
  height: number
}

/** Size of a picture in px as displayed, from its header; undefined for a file without one. */
export function readDimensions(head: Uint8Array): Dimensions | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(head)
    if (!(width > 0 && height > 0 && Math.max(width, height) <= maxSide)) return undefined
    return orientation >= 5 || isRotated(head) ? { width: height, height: width } : { width, height }
  } catch {
    return undefined
  }
}

const rotationBox = Buffer.from('\0\0\0\x09irot', 'latin1')
const maxMetaBytes = 64 * 1024

/** HEIC and AVIF store rotation in an `irot` box. */
function isRotated(head: Uint8Array): boolean {
  const meta = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, maxMetaBytes))
  if (meta.toString('latin1', 4, 8) !== 'ftyp') return false
  const boxIndex = meta.indexOf(rotationBox)
  const quarterTurns = boxIndex < 0 ? 0 : (meta[boxIndex + rotationBox.length] ?? 0)
  return quarterTurns % 2 === 1
}
