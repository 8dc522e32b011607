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
  progress: number
  error?: string
  remedy?: string
  mayRetry?: boolean
  /** Name of an identical document; the person decides what to do. */
  sameAs?: string
  success: boolean
  written?: string
}

const failed = 'Upload failed. Please try again.'
const noRoom = 'This browser is out of space for documents. Download and delete what you need least, then try again.'
const refused = 'This browser blocks storage. In a private window, or with site data blocked, documents can’t be saved.'

export function useUploads(store: LibraryStore) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  // Serialized, so that two equal files in one selection detect each other.
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

/** `sameAs`: nothing was written, because a document of that name has the same bytes. */
async function writeOne(
  store: LibraryStore,
  file: File,
  { format, type }: Extract<ReturnType<typeof acceptFile>, { format: string }>,
  keepBoth: boolean,
): Promise<{ sameAs?: string; written?: string }> {
  const sha256 = await sha256Of(file)
  const same = keepBoth ? undefined : await store.sameBytes({ size: file.size, sha256 })
  if (same) return { sameAs: same.name }
  // Copied, since the file on disk may change or disappear.
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
  return isReadable ? refused : 'The file can no longer be read. It was moved, changed or deleted on your disk.'
}
