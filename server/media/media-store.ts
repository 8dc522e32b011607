/** Content-addressed store of pictures and recordings by SHA-256 (hex): a data folder, or a bucket shared by processes. */
export interface MediaStore {
  /** Durable on return. Existing bytes are refreshed, so that no sweep takes them before their new row exists. */
  write(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, now: Date): Promise<KeptMedia>
  size(sha256: string): Promise<number | undefined>
  read(sha256: string, start: number, end: number): AsyncGenerator<Buffer>
  /** Pages of files last written or refreshed before that time (ms). */
  before(time: number): AsyncGenerator<string[]>
  /** Deletes unfinished writes started before that time (ms). */
  removeUnfinished(time: number): Promise<void>
  /** Whether it was removed; refreshed files stay. */
  removeIfBefore(sha256: string, time: number): Promise<boolean>
  /** Whether this installation owns the store and can delete from it. A bucket belongs to the first installation that asks. */
  isOf(installation: string): Promise<boolean>
}

export interface KeptMedia {
  sha256: string
  bytes: number
}

export async function wholeMedia(store: MediaStore, sha256: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of store.read(sha256, 0, (await store.size(sha256)) ?? 0)) pieces.push(piece)
  return Buffer.concat(pieces)
}
