import { type Media, mediaKindOf } from '#contract/keepers/media.ts'
import { pendingList } from '#web/offline/pending-list.ts'
import type { PendingWrite } from '#web/offline/pending-write.ts'
import { ownQueueLater } from '#web/offline/whose-browser.ts'

const uploadOf = (id: string, writes: readonly PendingWrite[]) =>
  writes.find(({ mime, query }) => mime !== undefined && (query as { id?: unknown } | undefined)?.id === id)

/** Media for a file named by a queued write, filled from its queued upload. */
export function waitingMedia(id: string, writes: readonly PendingWrite[]): Media {
  const upload = uploadOf(id, writes)
  const { name, alt, width, height, durationMs } = (upload?.query ?? {}) as Partial<Media>
  const mime = upload?.mime ?? 'application/octet-stream'
  return {
    id,
    kind: mediaKindOf(mime),
    mime,
    bytes: 0,
    sha256: '',
    name: upload ? (name ?? null) : 'Added earlier',
    alt: alt ?? null,
    width: width ?? null,
    height: height ?? null,
    durationMs: durationMs ?? null,
  }
}

export async function waitingBytes(id: string): Promise<Blob | undefined> {
  const upload = uploadOf(id, pendingList())
  const bytes = upload && (await (await ownQueueLater())?.bytesOf(upload))
  return bytes && new Blob([bytes], { type: upload.mime })
}
