export interface FileUnderWay {
  name: string
  stop: () => void
}

let files: readonly FileUnderWay[] = []
const listeners = new Set<() => void>()

export const filesUnderWay = (): readonly FileUnderWay[] => files

export function onFilesUnderWay(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** The browser asks before closing the page until the returned function is called. */
export function noteUnderWay(file: FileUnderWay): () => void {
  show([...files, file])
  return () => show(files.filter((each) => each !== file))
}

export function stopAllUnderWay(): void {
  for (const { stop } of files) stop()
}

const ask = (event: Event) => event.preventDefault()

function show(next: readonly FileUnderWay[]): void {
  files = next
  if (files.length > 0) globalThis.addEventListener?.('beforeunload', ask)
  else globalThis.removeEventListener?.('beforeunload', ask)
  for (const changed of listeners) changed()
}
