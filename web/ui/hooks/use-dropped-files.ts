import { useEffect, useEffectEvent, useState } from 'react'
import { isTextField } from '../fields/field-keys.ts'

/**
 * @param onFiles receives the files and, if they were dropped, their file system entries, which can be folders. The
 * entries are `undefined` for pasted files, and empty for files dragged from another page.
 * @returns whether files are being dragged over the page
 */
export function useDroppedFiles(
  onFiles: (files: File[], droppedEntries: FileSystemEntry[] | undefined) => void,
): boolean {
  const [isOver, setOver] = useState(false)
  const acceptFiles = useEffectEvent((transfer: DataTransfer | null, droppedEntries?: FileSystemEntry[]) => {
    const files = [...(transfer?.files ?? [])]
    if (files.length > 0) onFiles(files, droppedEntries)
  })
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    // Ignored under a dialog, but a dropped file must still not replace the page.
    const isCovered = () => document.querySelector('[role="dialog"],[role="alertdialog"]') !== null
    function handleDragOver(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(!isCovered())
    }
    function handleDragLeave(event: DragEvent) {
      if (event.relatedTarget === null) setOver(false)
    }
    function handleDrop(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      if (isCovered()) return
      // Must be read before the event ends.
      const items = [...(event.dataTransfer?.items ?? [])]
      const droppedEntries = items.flatMap((item) => item.webkitGetAsEntry?.() ?? [])
      acceptFiles(event.dataTransfer, droppedEntries)
    }
    function handlePaste(event: ClipboardEvent) {
      if (!isTextField(event.target) && !isCovered()) acceptFiles(event.clipboardData)
    }
    addEventListener('dragover', handleDragOver)
    addEventListener('dragleave', handleDragLeave)
    addEventListener('drop', handleDrop)
    addEventListener('paste', handlePaste)
    return () => {
      removeEventListener('dragover', handleDragOver)
      removeEventListener('dragleave', handleDragLeave)
      removeEventListener('drop', handleDrop)
      removeEventListener('paste', handlePaste)
    }
  }, [])
  return isOver
}
