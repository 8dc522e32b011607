import { type DragEvent, type KeyboardEvent, useState } from 'react'

/** Rows reorder by dragging their handle, or with Alt and the arrow keys. */
export function useArrange(length: number, onMove: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  return {
    isOver: (at: number) => over === at && dragged !== undefined && dragged !== at,
    handle: (at: number) => ({
      draggable: true,
      onDragStart(event: DragEvent) {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(at))
        setDragged(at)
      },
      onDragEnd: end,
    }),
    row: (at: number) => ({
      onDragOver(event: DragEvent) {
        if (dragged === undefined) return
        event.preventDefault()
        setOver(at)
      },
      onDrop(event: DragEvent) {
        if (dragged === undefined) return
        event.preventDefault()
        if (dragged !== at) onMove(dragged, at)
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
