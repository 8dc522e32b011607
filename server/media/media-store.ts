/**
 * Where pictures and recordings lie: under their SHA-256 (hexadecimal), so that the same bytes lie there once. The data
 * folder of one machine, or a bucket that several share.
 */
export interface MediaStore {
  /**
   * Keeps the bytes that come one piece after the other, however many: they are never in memory together. They are kept
   * for good when this returns; bytes that were there already are young again, so that no sweep takes them before their
   * new row is written. What `pieces` throws is thrown on, and leaves nothing behind.
   */
  write(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, now: Date): Promise<KeptMedia>
  /** How many bytes lie there; undefined when they do not. */
  size(sha256: string): Promise<number | undefined>
  /** The bytes from `start` to the one before `end`. */
  read(sha256: string, start: number, end: number): AsyncGenerator<Buffer>
  /** What was written, or was young again, before that time (ms), some at a time. */
  before(time: number): AsyncGenerator<string[]>
  /** Writings that nobody finished and that began before that time (ms), which no row names, go. */
  removeUnfinished(time: number): Promise<void>
  /** Whether it went: what is young again meanwhile stays. */
  removeIfBefore(sha256: string, time: number): Promise<boolean>
  /**
   * Whether this Keeper's rows are the ones that name what lies here, so that the rest may go. A bucket is that of the
   * Keeper that asks this first.
   */
  isOf(installation: string): Promise<boolean>
}

export interface KeptMedia {
  sha256: string
  bytes: number
}

/** All of it at once, for what is small. */
export async function wholeMedia(store: MediaStore, sha256: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of store.read(sha256, 0, (await store.size(sha256)) ?? 0)) pieces.push(piece)
  return Buffer.concat(pieces)
}
