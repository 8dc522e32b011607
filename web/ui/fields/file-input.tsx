import type { ComponentProps, DragEvent } from 'react'
import { useState } from 'react'

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  onFiles: (files: File[]) => void
}

/** Hidden; a button clicks it. */
export function FileInput({ onFiles, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      tabIndex={-1}
      className="sr-only"
      onChange={(event) => {
        onFiles([...(event.currentTarget.files ?? [])])
        // Allows choosing the same file again.
        event.currentTarget.value = ''
      }}
    />
  )
}

/** For an element that takes dropped files. */
export function useFileDrop(onFiles: (files: File[]) => void, isEnabled = true) {
  const [isOver, setOver] = useState(false)
  function acceptFiles(event: DragEvent): boolean {
    if (!isEnabled || !event.dataTransfer.types.includes('Files')) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const dropProps = {
    onDragOver(event: DragEvent) {
      if (acceptFiles(event)) setOver(true)
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop(event: DragEvent) {
      if (!acceptFiles(event)) return
      setOver(false)
      onFiles([...event.dataTransfer.files])
    },
  }
  return { isOver, dropProps }
}
