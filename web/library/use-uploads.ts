import { useCallback, useEffect, useRef, useState } from 'react'
import { createClientId } from '#web/offline/create-client-id.ts'
import { isQuotaExceeded } from '#web/offline/database-connection.ts'
import { acceptFile } from './accept-file.ts'
import type { FileKind } from './file-kind.ts'
import type { LibraryStore } from './store/library-store.ts'
import { computeSha256, requestPersistence } from './store/storage-space.ts'

const tickMs = 200
const minUploadMs = 2000
const successMessageMs = 3000
const progressPerTick = 10
const maxProgress = 90

/** Percent after `ticks`; the last ten are left for the write itself. */
export function getProgress(ticks: number): number {
  return Math.min(ticks * progressPerTick, maxProgress)
}

export interface Upload {
  id: string
  file: File
  isUploading: boolean
  progress: number
  error?: string
  remedy?: string
  canRetry?: boolean
  /** Name of an identical document; the person decides what to do. */
  duplicateOf?: string
  success: boolean
  documentId?: string
}

const uploadFailedText = 'Upload failed. Please try again.'
const outOfSpaceText =
  'There’s no space left for documents in this browser. Download the ones you need least, delete them here, then try again.'
const unreadableFileText = 'The file can no longer be read. It was moved, changed or deleted on your disk.'
const storageBlockedText =
  'This browser blocks storage. In a private window, or with site data blocked, documents can’t be saved.'

export function useDocumentUploads(store: LibraryStore) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  // Serialized, so that two equal files in one selection detect each other.
  const writeQueue = useRef<Promise<unknown>>(Promise.resolve())

  const update = useCallback((id: string, changes: Partial<Upload>) => {
    setUploads((previous) => previous.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  }, [])
  const dismiss = useCallback(
    (id: string) => setUploads((previous) => previous.filter((upload) => upload.id !== id)),
    [],
  )

  const schedule = useCallback((milliseconds: number, callback: () => void) => {
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      callback()
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
    async ({ id, file }: Pick<Upload, 'id' | 'file'>, { allowDuplicate = false } = {}) => {
      const read = await readKind(file)
      if ('remedy' in read) return update(id, { ...read, isUploading: false, error: uploadFailedText, canRetry: true })
      const accepted = acceptFile(file, read.kind)
      if ('refusal' in accepted)
        return update(id, { isUploading: false, error: accepted.refusal, remedy: accepted.remedy })
      update(id, { isUploading: true, progress: 0, error: undefined, remedy: undefined, duplicateOf: undefined })
      let ticks = 0
      const tickTimer = setInterval(() => {
        ticks++
        update(id, { progress: getProgress(ticks) })
      }, tickMs)
      const minimumDisplay = new Promise<void>((resolve) => setTimeout(resolve, minUploadMs))
      requestPersistence()
      try {
        const write = writeQueue.current.then(() => writeDocument(store, file, accepted, allowDuplicate))
        writeQueue.current = write.catch(() => undefined)
        const { duplicateOf, documentId } = await write
        if (duplicateOf !== undefined) return update(id, { isUploading: false, progress: 0, duplicateOf })
        update(id, { documentId })
        await minimumDisplay
        update(id, { isUploading: false, progress: 100, success: true })
        schedule(successMessageMs, () => dismiss(id))
      } catch (reason) {
        await minimumDisplay
        const remedy = isQuotaExceeded(reason) ? outOfSpaceText : await getRemedy(file)
        update(id, { isUploading: false, progress: 0, error: uploadFailedText, remedy, canRetry: true })
      } finally {
        clearInterval(tickTimer)
      }
    },
    [store, update, dismiss, schedule],
  )

  const add = useCallback(
    (files: readonly File[]) => {
      const newUploads = files.map((file) => ({
        id: createClientId(),
        file,
        isUploading: true,
        progress: 0,
        success: false,
      }))
      setUploads((previous) => [...previous, ...newUploads])
      for (const upload of newUploads) void start(upload)
    },
    [start],
  )

  const isBusy = uploads.some(({ isUploading }) => isUploading)
  useEffect(() => {
    if (!isBusy) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', preventUnload)
    return () => removeEventListener('beforeunload', preventUnload)
  }, [isBusy])

  return {
    uploads,
    add,
    dismiss,
    retry: (upload: Upload) => void start(upload),
    uploadAnyway: (upload: Upload) => void start(upload, { allowDuplicate: true }),
  }
}

/** Writes nothing and returns `duplicateOf` if another document has the same bytes. */
async function writeDocument(
  store: LibraryStore,
  file: File,
  { format, type }: Extract<ReturnType<typeof acceptFile>, { format: string }>,
  allowDuplicate: boolean,
): Promise<{ duplicateOf?: string; documentId?: string }> {
  const sha256 = await computeSha256(file)
  const duplicate = allowDuplicate ? undefined : await store.findIdentical({ size: file.size, sha256 })
  if (duplicate) return { duplicateOf: duplicate.name }
  // Copied, since the file on disk may change or disappear.
  const blob = new Blob([await file.arrayBuffer()], { type: 'application/octet-stream' })
  const { id } = await store.add({ name: file.name, blob, format, type, sha256 })
  return { documentId: id }
}

async function getRemedy(file: File): Promise<string> {
  const read = await readKind(file)
  return 'remedy' in read ? read.remedy : storageBlockedText
}

async function readKind(file: File): Promise<{ kind: FileKind } | { remedy: string }> {
  const reader = await import('./file-kind.ts').catch(() => undefined)
  if (!reader) return { remedy: 'The server can’t be reached. Try again when you’re online.' }
  return file
    .slice(0, reader.headBytes)
    .arrayBuffer()
    .then(
      (bytes) => ({ kind: reader.readFileKind(new Uint8Array(bytes)) }),
      () => ({ remedy: unreadableFileText }),
    )
}
