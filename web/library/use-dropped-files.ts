import { useEffect, useEffectEvent, useState } from 'react'
import { isWriting } from '#web/ui/is-typing.ts'

/** Takes only the first dropped file; `leftOut` counts the others. @returns whether files are being dragged over */
export function useDroppedFiles(onFiles: (files: File[], leftOutCount: number) => void): boolean {
  const [isOver, setOver] = useState(false)
  const acceptFiles = useEffectEvent((files: FileList | undefined, maxFiles = Number.POSITIVE_INFINITY) => {
    const accepted = [...(files ?? [])].slice(0, maxFiles)
    if (files && accepted.length > 0) onFiles(accepted, files.length - accepted.length)
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
      if (!isCovered()) acceptFiles(event.dataTransfer?.files, 1)
    }
    function handlePaste(event: ClipboardEvent) {
      if (!isWriting(event.target) && !isCovered()) acceptFiles(event.clipboardData?.files)
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
