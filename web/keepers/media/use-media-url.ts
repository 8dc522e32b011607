import { createContext, use, useEffect, useState } from 'react'
import { keeperMedia } from '#contract/keepers/media.ts'
import type { MediaSize } from '#contract/keepers/small-version.ts'
import { fetchFile } from '#web/api.ts'
import { readPendingBytes } from './pending-media.ts'

interface CachedFile {
  url: Promise<string>
  objectUrl?: string
  users: number
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

export type MediaUrl = { state: 'loading' | 'failed' } | { state: 'loaded'; url: string }

interface MediaUrlOptions {
  size?: MediaSize
  enabled?: boolean
}

/** An object URL, because a plain URL can't carry the session token; released when nothing uses it. */
export function useMediaUrl(
  id: string,
  { size, enabled = true }: MediaUrlOptions = {},
): MediaUrl & { retry: () => void } {
  const [mediaUrl, setMediaUrl] = useState<MediaUrl>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const source = use(MediaSourceContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads it again
  useEffect(() => {
    if (!enabled) return
    let isDisposed = false
    setMediaUrl({ state: 'loading' })
    const { key, file } = acquireFile(id, source, size)
    file.url.then(
      (url) => !isDisposed && setMediaUrl({ state: 'loaded', url }),
      () => !isDisposed && setMediaUrl({ state: 'failed' }),
    )
    return () => {
      isDisposed = true
      releaseFile(key, file)
    }
  }, [id, source, size, enabled, attempt])
  const cachedUrl = enabled && mediaUrl.state === 'loading' ? getCachedFile(id, source, size)?.objectUrl : undefined
  return { ...(cachedUrl ? { state: 'loaded', url: cachedUrl } : mediaUrl), retry: () => setAttempt(attempt + 1) }
}

/** Makes a file picked in this page available without fetching it. */
export function cacheLocalFile(id: string, blob: Blob): void {
  if (fileCache.has(id)) return
  const objectUrl = URL.createObjectURL(blob)
  const file: CachedFile = { url: Promise.resolve(objectUrl), objectUrl, users: 1 }
  fileCache.set(id, file)
  releaseFile(id, file)
}

const getCacheKey = (id: string, source: MediaSource | null, size: MediaSize) =>
  [source?.name, id, size].filter(Boolean).join('/')

const getCachedFile = (id: string, source: MediaSource | null, size: MediaSize) =>
  fileCache.get(getCacheKey(id, source, undefined)) ?? fileCache.get(getCacheKey(id, source, size))

/** An original that is here already serves small views, too. */
function acquireFile(id: string, source: MediaSource | null, size: MediaSize): { key: string; file: CachedFile } {
  const originalKey = getCacheKey(id, source, undefined)
  const key = fileCache.has(originalKey) ? originalKey : getCacheKey(id, source, size)
  let file = fileCache.get(key)
  if (!file) {
    const newFile: CachedFile = { url: loadObjectUrl(id, source, size), users: 0 }
    newFile.url.then(
      (url) => {
        newFile.objectUrl = url
      },
      () => fileCache.get(key) === newFile && fileCache.delete(key),
    )
    fileCache.set(key, newFile)
    file = newFile
  }
  clearTimeout(file.releaseTimer)
  file.users++
  return { key, file }
}

async function loadObjectUrl(id: string, source: MediaSource | null, size: MediaSize): Promise<string> {
  return URL.createObjectURL(source ? await source.load(id, size) : await fetchKeeperBytes(id, size))
}

const fetchKeeperBytes = async (id: string, size: MediaSize): Promise<Blob> =>
  (await readPendingBytes(id)) ??
  (await fetchFile(keeperMedia.bytes, { params: { id }, query: toSizeQuery(size) })).blob

export const toSizeQuery = (size: MediaSize) => (size ? { size } : {})

function releaseFile(key: string, file: CachedFile): void {
  file.users--
  if (file.users > 0) return
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
