import { useEffect, useEffectEvent, useState } from 'react'
import { isWriting } from '#web/ui/is-typing.ts'

/**
 * Files pasted where nobody writes, or dropped anywhere on the page: of several dropped only the first (seed 002 §2.10),
 * `leftOut` says how many the others are. Answers whether some are being carried over it.
 */
export function useDroppedFiles(onFiles: (files: File[], leftOut: number) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((files: FileList | undefined, most = Number.POSITIVE_INFINITY) => {
    const taken = [...(files ?? [])].slice(0, most)
    if (files && taken.length > 0) onFiles(taken, files.length - taken.length)
  })
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    // A dialog over the page is about something else; even then a dropped file must not replace the page.
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
