import { type DragEvent, type KeyboardEvent, useState } from 'react'

/** Rows reorder by dragging their handle, or with Alt and the arrow keys. */
export function useReorder(length: number, onMove: (from: number, to: number) => void) {
  const [draggedIndex, setDraggedIndex] = useState<number>()
  const [overIndex, setOverIndex] = useState<number>()
  const endDrag = () => {
    setDraggedIndex(undefined)
    setOverIndex(undefined)
  }
  return {
    isOver: (index: number) => overIndex === index && draggedIndex !== undefined && draggedIndex !== index,
    getHandleProps: (index: number) => ({
      draggable: true,
      onDragStart(event: DragEvent) {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(index))
        setDraggedIndex(index)
      },
      onDragEnd: endDrag,
    }),
    getRowProps: (index: number) => ({
      onDragOver(event: DragEvent) {
        if (draggedIndex === undefined) return
        event.preventDefault()
        setOverIndex(index)
      },
      onDrop(event: DragEvent) {
        if (draggedIndex === undefined) return
        event.preventDefault()
        if (draggedIndex !== index) onMove(draggedIndex, index)
        endDrag()
      },
      onKeyDown(event: KeyboardEvent) {
        const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
        if (step === undefined || index + step < 0 || index + step >= length) return
        event.preventDefault()
        onMove(index, index + step)
      },
    }),
  }
}

/** Moves an item, clamped to the ends; an invalid `from` moves nothing. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const index = Math.max(0, Math.min(to, items.length - 1))
  return from < 0 ? [...items] : items.toSpliced(from, 1).toSpliced(index, 0, ...items.slice(from, from + 1))
}
