/** Content-addressed store of pictures and recordings by SHA-256 (hex): a data folder, or a bucket shared by processes. */
export interface MediaStore {
  /** Durable on return. Existing bytes are refreshed, so that no sweep takes them before their new row exists. */
  write(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, now: Date): Promise<StoredMedia>
  getSize(sha256: string): Promise<number | undefined>
  read(sha256: string, start: number, end: number): AsyncGenerator<Buffer>
  /** Pages of files last written or refreshed before that time (ms). */
  listOlderThan(time: number): AsyncGenerator<string[]>
  removeUnfinished(time: number): Promise<void>
  removeIfOlder(sha256: string, time: number): Promise<boolean>
  /** Only the owner can delete from the store. A bucket belongs to the first installation that asks. */
  isOwnedBy(installation: string): Promise<boolean>
}

export interface StoredMedia {
  sha256: string
  bytes: number
}

export async function readWholeMedia(store: MediaStore, sha256: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of store.read(sha256, 0, (await store.getSize(sha256)) ?? 0)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
