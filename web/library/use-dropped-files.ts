import { useEffect, useEffectEvent, useState } from 'react'
import { isWriting } from '#web/ui/is-typing.ts'

/**
 * Handles files pasted outside text fields or dropped on the page: only the first dropped file, and `leftOut` counts
 * the others. @returns whether files are being dragged over
 */
export function useDroppedFiles(onFiles: (files: File[], leftOut: number) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((files: FileList | undefined, most = Number.POSITIVE_INFINITY) => {
    const taken = [...(files ?? [])].slice(0, most)
    if (files && taken.length > 0) onFiles(taken, files.length - taken.length)
  })
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    // Ignored under a dialog, but a dropped file must still not replace the page.
    const isCovered = () => document.querySelector('[role="dialog"],[role="alertdialog"]') !== null
    function over(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(!isCovered())
    }
    function leave(event: DragEvent) {
      if (event.relatedTarget === null) setOver(false)
    }
    function drop(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      if (!isCovered()) take(event.dataTransfer?.files, 1)
    }
    function paste(event: ClipboardEvent) {
      if (!isWriting(event.target) && !isCovered()) take(event.clipboardData?.files)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    addEventListener('paste', paste)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
      removeEventListener('paste', paste)
    }
  }, [])
  return isOver
}
