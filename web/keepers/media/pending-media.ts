import { getMediaKind, type Media } from '#contract/keepers/media.ts'
import type { PendingWrite } from '#web/offline/pending-write.ts'
import { getCurrentQueue } from '#web/offline/write-queue.ts'

const findPendingUpload = (id: string, writes: readonly PendingWrite[]) =>
  writes.find(({ mime, query }) => mime !== undefined && (query as { id?: unknown } | undefined)?.id === id)

/** Media for a file that a queued write refers to, built from the file's queued upload. */
export function toPendingMedia(id: string, writes: readonly PendingWrite[]): Media {
  const upload = findPendingUpload(id, writes)
  const { name, alt, width, height, durationMs } = (upload?.query ?? {}) as Partial<Media>
  const mime = upload?.mime ?? 'application/octet-stream'
  return {
    id,
    kind: getMediaKind(mime),
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

export async function readPendingBytes(id: string): Promise<Blob | undefined> {
  const queue = getCurrentQueue()
  const upload = queue && findPendingUpload(id, queue.getWrites())
  const bytes = upload && (await queue.readBytes(upload))
  return bytes ? new Blob([bytes], { type: upload.mime }) : undefined
}
