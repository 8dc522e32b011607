export interface FileUpload {
  name: string
  stop: () => void
}

let uploads: readonly FileUpload[] = []
const listeners = new Set<() => void>()

export const getFileUploads = (): readonly FileUpload[] => uploads

export function onFileUploadsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The browser asks before closing the page until the returned function is called. */
export function registerFileUpload(upload: FileUpload): () => void {
  setUploads([...uploads, upload])
  return () => setUploads(uploads.filter((other) => other !== upload))
}

export function stopFileUploads(): void {
  for (const { stop } of uploads) stop()
}

const preventUnload = (event: Event) => event.preventDefault()

function setUploads(next: readonly FileUpload[]): void {
  uploads = next
  if (uploads.length > 0) globalThis.addEventListener?.('beforeunload', preventUnload)
  else globalThis.removeEventListener?.('beforeunload', preventUnload)
  for (const listener of listeners) listener()
}
