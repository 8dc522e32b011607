import { openAsBlob } from 'node:fs'
import type { ModelRuntime } from '#server/models/run-model.ts'
import type { BucketSettings, Settings } from '#server/settings/settings.ts'
import { hourMs } from '#server/values/time-units.ts'
import { BucketRequests } from './bucket-requests.ts'
import { FolderMedia } from './folder-media.ts'
import type { MediaStore, StoredMedia } from './media-store.ts'

/** Files written this recently aren't uploaded again: no sweep deletes them before their new row exists. */
const freshMs = 12 * hourMs

/**
 * Uploads are first written to the data folder, since their name is their hash. Files from before the bucket stay
 * readable there.
 */
export class BucketMedia implements MediaStore {
  readonly #requests: BucketRequests
  readonly #folder: FolderMedia

  constructor(settings: BucketSettings, folder: FolderMedia, runtime: Pick<ModelRuntime, 'fetch' | 'sleep'>) {
    this.#requests = new BucketRequests(settings, runtime)
    this.#folder = folder
  }

  write(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, now: Date): Promise<StoredMedia> {
    return this.#folder.spool(chunks, (tempPath, { sha256 }) =>
      this.#putUnlessFresh(sha256, tempPath, now.getTime() - freshMs),
    )
  }

  async getSize(sha256: string): Promise<number | undefined> {
    return (await this.#requests.head(sha256))?.bytes ?? (await this.#folder.getSize(sha256))
  }

  async *read(sha256: string, start: number, end: number): AsyncGenerator<Buffer> {
    if (start >= end) return
    const stored = await this.#requests.get(sha256, start, end)
    if (stored) yield* stored
    else yield* this.#folder.read(sha256, start, end)
  }

  async *listOlderThan(time: number): AsyncGenerator<string[]> {
    for await (const page of this.#requests.list()) {
      const old = page.filter(({ modifiedAt }) => modifiedAt < time).map(({ sha256 }) => sha256)
      if (old.length > 0) yield old
    }
    yield* this.#folder.listOlderThan(time)
  }

  removeUnfinished(time: number): Promise<void> {
    return this.#folder.removeUnfinished(time)
  }

  /** A write of the same bytes between check and removal is unlikely: no row has referenced them for a day. */
  async removeIfOlder(sha256: string, time: number): Promise<boolean> {
    const isRemovedFromFolder = await this.#folder.removeIfOlder(sha256, time)
    const stored = await this.#requests.head(sha256)
    if (!stored || stored.modifiedAt >= time) return isRemovedFromFolder
    await this.#requests.remove(sha256)
    return true
  }

  async isOwnedBy(installation: string): Promise<boolean> {
    const owner = await this.#requests.getOwner()
    if (owner !== undefined) return owner === installation
    await this.#requests.setOwner(installation)
    return (await this.#requests.getOwner()) === installation
  }

  setOwner(installation: string): Promise<void> {
    return this.#requests.setOwner(installation)
  }

  async copyFolder(): Promise<number> {
    let copiedCount = 0
    for await (const page of this.#folder.listOlderThan(Number.POSITIVE_INFINITY))
      for (const sha256 of page) {
        if (await this.#requests.head(sha256)) continue
        await this.#requests.put(sha256, await openAsBlob(this.#folder.getPath(sha256)))
        copiedCount += 1
      }
    return copiedCount
  }

  async #putUnlessFresh(sha256: string, path: string, since: number): Promise<void> {
    const stored = await this.#requests.head(sha256)
    if (stored && stored.modifiedAt > since) return
    await this.#requests.put(sha256, await openAsBlob(path))
  }
}

export function createMediaStore(
  { dataDir, bucket }: Pick<Settings, 'dataDir' | 'bucket'>,
  runtime: Pick<ModelRuntime, 'fetch' | 'sleep'>,
): MediaStore {
  const folder = new FolderMedia(dataDir)
  return bucket ? new BucketMedia(bucket, folder, runtime) : folder
}
