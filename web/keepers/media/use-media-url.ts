import { createContext, use, useEffect, useState } from 'react'
import { keeperMedia } from '#contract/keepers/media.ts'
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
  load: (id: string) => Promise<Blob>
}
export const MediaSourceContext = createContext<MediaSource | null>(null)

/** Keeps unused files cached for a reader who scrolls back. */
const releaseDelayMs = 30_000
const fileCache = new Map<string, CachedFile>()

export type MediaUrl = { state: 'loading' | 'failed' } | { state: 'loaded'; url: string }

/** An object URL, because a plain URL can't carry the session token; released when nothing uses it. */
export function useMediaUrl(id: string, enabled = true): MediaUrl & { retry: () => void } {
  const [mediaUrl, setMediaUrl] = useState<MediaUrl>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const source = use(MediaSourceContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads it again
  useEffect(() => {
    if (!enabled) return
    let isDisposed = false
    setMediaUrl({ state: 'loading' })
    const file = acquireFile(id, source)
    file.url.then(
      (url) => !isDisposed && setMediaUrl({ state: 'loaded', url }),
      () => !isDisposed && setMediaUrl({ state: 'failed' }),
    )
    return () => {
      isDisposed = true
      releaseFile(getCacheKey(id, source), file)
    }
  }, [id, source, enabled, attempt])
  return { ...mediaUrl, retry: () => setAttempt(attempt + 1) }
}

/** Makes a file picked in this page available without fetching it. */
export function cacheLocalFile(id: string, blob: Blob): void {
  if (fileCache.has(id)) return
  const objectUrl = URL.createObjectURL(blob)
  const file: CachedFile = { url: Promise.resolve(objectUrl), objectUrl, users: 1 }
  fileCache.set(id, file)
  releaseFile(id, file)
}

const getCacheKey = (id: string, source: MediaSource | null) => (source ? `${source.name}/${id}` : id)

function acquireFile(id: string, source: MediaSource | null): CachedFile {
  const key = getCacheKey(id, source)
  let file = fileCache.get(key)
  if (!file) {
    const newFile: CachedFile = { url: loadObjectUrl(id, source), users: 0 }
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
  return file
}

async function loadObjectUrl(id: string, source: MediaSource | null): Promise<string> {
  return URL.createObjectURL(source ? await source.load(id) : await fetchKeeperBytes(id))
}

const fetchKeeperBytes = async (id: string): Promise<Blob> =>
  (await readPendingBytes(id)) ?? (await fetchFile(keeperMedia.bytes, { params: { id } })).blob

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
