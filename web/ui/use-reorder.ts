import { type DragEvent, type KeyboardEvent, useState } from 'react'

/** Rows reorder by dragging their handle, or with Alt and the arrow keys. */
export function useReorder(length: number, onMove: (from: number, to: number) => void) {
  const [draggedIndex, setDraggedIndex] = useState<number>()
  const [overIndex, setOverIndex] = useState<number>()
  const end = () => {
    setDraggedIndex(undefined)
    setOverIndex(undefined)
  }
  return {
    isOver: (at: number) => overIndex === at && draggedIndex !== undefined && draggedIndex !== at,
    handle: (at: number) => ({
      draggable: true,
      onDragStart(event: DragEvent) {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(at))
        setDraggedIndex(at)
      },
      onDragEnd: end,
    }),
    row: (at: number) => ({
      onDragOver(event: DragEvent) {
        if (draggedIndex === undefined) return
        event.preventDefault()
        setOverIndex(at)
      },
      onDrop(event: DragEvent) {
        if (draggedIndex === undefined) return
        event.preventDefault()
        if (draggedIndex !== at) onMove(draggedIndex, at)
        end()
      },
      onKeyDown(event: KeyboardEvent) {
        const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
        if (by === undefined || at + by < 0 || at + by >= length) return
        event.preventDefault()
        onMove(at, at + by)
      },
    }),
  }
}
