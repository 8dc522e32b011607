import { createContext, use, useEffect, useState } from 'react'
import { getMediaKind, keeperMedia, type Media } from '#contract/keepers/media.ts'
import type { MediaSize } from '#contract/keepers/small-version.ts'
import { fetchFile } from '#web/api/api.ts'
import type { PendingWrite } from '#web/offline/pending-write.ts'
import { getCurrentQueue } from '#web/offline/write-queue.ts'
import { toShowablePicture } from './showable-picture.ts'
import { sendSmallVersion } from './small-picture.ts'

interface CachedFile {
  url: Promise<string>
  objectUrl?: string
  userCount: number
  releaseTimer?: ReturnType<typeof setTimeout>
}

/** Loads files on pages that show shared content; `null` loads from the person's own keepers. */
export interface MediaSource {
  name: string
  load: (id: string, size: MediaSize) => Promise<Blob>
}
export const MediaSourceContext = createContext<MediaSource | null>(null)

/** Keeps unused files cached for a reader who scrolls back. */
const releaseDelayMs = 30_000
const fileCache = new Map<string, CachedFile>()

type MediaUrl = { state: 'loading' | 'failed' } | { state: 'loaded'; url: string }

interface MediaUrlOptions {
  size?: MediaSize
  /** Decodes a picture that this browser can't show. */
  shouldDecode?: boolean
  enabled?: boolean
}

/** An object URL, because a plain URL can't carry the session token; released when nothing uses it. */
export function useMediaUrl(
  id: string,
  { size, shouldDecode = false, enabled = true }: MediaUrlOptions = {},
): MediaUrl & { retry: () => void } {
  const [mediaUrl, setMediaUrl] = useState<MediaUrl>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const source = use(MediaSourceContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads it again
  useEffect(() => {
    if (!enabled) return
    let isDisposed = false
    setMediaUrl({ state: 'loading' })
    const { key, file } = acquireFile({ id, source, shouldDecode }, size)
    const showUnlessDisposed = (settledUrl: MediaUrl) => {
      if (!isDisposed) setMediaUrl(settledUrl)
    }
    file.url.then(
      (url) => showUnlessDisposed({ state: 'loaded', url }),
      () => showUnlessDisposed({ state: 'failed' }),
    )
    return () => {
      isDisposed = true
      releaseFile(key, file)
    }
  }, [id, source, size, shouldDecode, enabled, attempt])
  const cachedUrl =
    enabled && mediaUrl.state === 'loading' ? getCachedFile({ id, source, shouldDecode }, size)?.objectUrl : undefined
  return { ...(cachedUrl ? { state: 'loaded', url: cachedUrl } : mediaUrl), retry: () => setAttempt(attempt + 1) }
}

/** Makes a file picked in this page available without fetching it. */
export function cacheLocalFile(id: string, blob: Blob, { isDecoded = false } = {}): void {
  const key = getCacheKey({ id, source: null, shouldDecode: isDecoded }, undefined)
  if (fileCache.has(key)) return
  const objectUrl = URL.createObjectURL(blob)
  const file: CachedFile = { url: Promise.resolve(objectUrl), objectUrl, userCount: 1 }
  fileCache.set(key, file)
  // Starts the release timer.
  releaseFile(key, file)
}

interface FileReference {
  id: string
  source: MediaSource | null
  shouldDecode: boolean
}

const getCacheKey = ({ id, source, shouldDecode }: FileReference, size: MediaSize) =>
  [source?.name, id, size, shouldDecode && 'decoded'].filter(Boolean).join('/')

const getCachedFile = (reference: FileReference, size: MediaSize) =>
  fileCache.get(getCacheKey(reference, undefined)) ?? fileCache.get(getCacheKey(reference, size))

/** A loaded original is also used for small views. */
function acquireFile(reference: FileReference, size: MediaSize): { key: string; file: CachedFile } {
  const originalKey = getCacheKey(reference, undefined)
  const key = fileCache.has(originalKey) ? originalKey : getCacheKey(reference, size)
  let file = fileCache.get(key)
  if (!file) {
    const newFile: CachedFile = { url: loadObjectUrl(reference, size), userCount: 0 }
    newFile.url.then(
      (url) => {
        newFile.objectUrl = url
      },
      () => {
        if (fileCache.get(key) === newFile) fileCache.delete(key)
      },
    )
    fileCache.set(key, newFile)
    file = newFile
  }
  clearTimeout(file.releaseTimer)
  file.userCount++
  return { key, file }
}

async function loadObjectUrl({ id, source, shouldDecode }: FileReference, size: MediaSize): Promise<string> {
  const bytes = await (source ? source.load(id, size) : fetchKeeperBytes(id, size))
  if (!shouldDecode) return URL.createObjectURL(bytes)
  // If decoding fails, the view reports that it can't show the original.
  const picture = await toShowablePicture(bytes).catch(() => bytes)
  // The server sent the original although a small size was requested: an imported picture has no small version yet.
  if (picture !== bytes && size && !source) void sendSmallVersion(id, bytes)
  return URL.createObjectURL(picture)
}

const fetchKeeperBytes = async (id: string, size: MediaSize): Promise<Blob> =>
  (await readPendingBytes(id)) ??
  (await fetchFile(keeperMedia.bytes, { params: { id }, query: toSizeQuery(size) })).blob

export const toSizeQuery = (size: MediaSize) => (size ? { size } : {})

function releaseFile(key: string, file: CachedFile): void {
  file.userCount--
  if (file.userCount > 0) return
  clearTimeout(file.releaseTimer)
  file.releaseTimer = setTimeout(() => {
    if (fileCache.get(key) === file) fileCache.delete(key)
    if (file.objectUrl) URL.revokeObjectURL(file.objectUrl)
    else
      file.url.then(
        (url) => URL.revokeObjectURL(url),
        () => undefined,
      )
  }, releaseDelayMs)
}

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

async function readPendingBytes(id: string): Promise<Blob | undefined> {
  const queue = getCurrentQueue()
  const upload = queue && findPendingUpload(id, queue.getWrites())
  const bytes = upload && (await queue.readBytes(upload))
  return bytes ? new Blob([bytes], { type: upload.mime }) : undefined
}
