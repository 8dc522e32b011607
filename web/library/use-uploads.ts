import { useCallback, useEffect, useRef, useState } from 'react'
import { newClientId } from '#web/offline/new-client-id.ts'
import { acceptFile } from './accept-file.ts'
import type { LibraryStore } from './store/library-store.ts'
import { askToPersist, isFull } from './store/room-of-browser.ts'
import { sha256Of } from './store/sha256-of.ts'
import { leastMs, messageMs, progressAfter, tickMs } from './upload-progress.ts'

export interface Upload {
  id: string
  file: File
  isUploading: boolean
  /** Percent. */
  progress: number
  error?: string
  /** More about the error, with what helps. */
  remedy?: string
  /** Trying again may end differently. */
  mayRetry?: boolean
  /** The same bytes are here already under this name; the person decides. */
  sameAs?: string
  success: boolean
  /** The id of the document, once it is kept. */
  written?: string
}

const failed = 'Upload failed. Please try again.'
const noRoom = 'This browser has no more room for documents. Download and delete what you need least, then try again.'
const refused = 'This browser did not take it. In a private window, or with site data switched off, it keeps nothing.'

/** Each file by itself: what it shows while it is written, and how it ended. */
export function useUploads(store: LibraryStore) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  // One after another, so that two equal files chosen together know of each other; each shows its own progress.
  const writing = useRef<Promise<unknown>>(Promise.resolve())

  const update = useCallback((id: string, changes: Partial<Upload>) => {
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each)))
  }, [])
  const dismiss = useCallback((id: string) => setUploads((before) => before.filter((each) => each.id !== id)), [])

  const later = useCallback((milliseconds: number, then: () => void) => {
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      then()
    }, milliseconds)
    timers.current.add(timer)
  }, [])
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])

  const start = useCallback(
    async ({ id, file }: Pick<Upload, 'id' | 'file'>, keepBoth = false) => {
      const accepted = acceptFile(file)
      if ('refusal' in accepted) return update(id, { isUploading: false, error: accepted.refusal })
      update(id, { isUploading: true, progress: 0, error: undefined, remedy: undefined, sameAs: undefined })
      let ticks = 0
      const ticking = setInterval(() => {
        ticks++
        update(id, { progress: progressAfter(ticks) })
      }, tickMs)
      const shown = new Promise<void>((resolve) => setTimeout(resolve, leastMs))
      askToPersist()
      try {
        const write = writing.current.then(() => writeOne(store, file, accepted, keepBoth))
        writing.current = write.catch(() => undefined)
        const { sameAs, written } = await write
        if (sameAs !== undefined) return update(id, { isUploading: false, progress: 0, sameAs })
        update(id, { written })
        await shown
        update(id, { isUploading: false, progress: 100, success: true })
        later(messageMs, () => dismiss(id))
      } catch (reason) {
        await shown
        const remedy = isFull(reason) ? noRoom : await remedyOf(file)
        update(id, { isUploading: false, progress: 0, error: failed, remedy, mayRetry: true })
      } finally {
        clearInterval(ticking)
      }
    },
    [store, update, dismiss, later],
  )

  const add = useCallback(
    (files: readonly File[]) => {
      const fresh = files.map((file) => ({
        id: newClientId(),
        file,
        isUploading: true,
        progress: 0,
        success: false,
      }))
      setUploads((before) => [...before, ...fresh])
      for (const upload of fresh) void start(upload)
    },
    [start],
  )

  const isBusy = uploads.some(({ isUploading }) => isUploading)
  useEffect(() => {
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isBusy])

  return {
    uploads,
    add,
    dismiss,
    retry: (upload: Upload) => void start(upload),
    keepBoth: (upload: Upload) => void start(upload, true),
  }
}

/** `sameAs`: nothing was written, because a document of this name has the same bytes and the person decides first. */
async function writeOne(
  store: LibraryStore,
  file: File,
  { format, type }: Extract<ReturnType<typeof acceptFile>, { format: string }>,
  keepBoth: boolean,
): Promise<{ sameAs?: string; written?: string }> {
  const sha256 = await sha256Of(file)
  const same = keepBoth ? undefined : await store.sameBytes({ size: file.size, sha256 })
  if (same) return { sameAs: same.name }
  // A copy: the file on the disk may change or go.
  const blob = new Blob([await file.arrayBuffer()], { type: 'application/octet-stream' })
  const { id } = await store.add({ name: file.name, blob, format, type, sha256 })
  return { written: id }
}

async function remedyOf(file: File): Promise<string> {
  const isReadable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
  return isReadable ? refused : 'The file cannot be read any more: it was moved, changed or deleted on your disk.'
}
