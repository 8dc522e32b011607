import type { DragEvent } from 'react'

const kind = 'application/x-keeper-moment'

interface Dragged {
  momentId: string
  /** The source waypoint, or `null` for the river. */
  from: string | null
}

export function startDragging(event: DragEvent, dragged: Dragged): void {
  event.dataTransfer.setData(kind, JSON.stringify(dragged))
  event.dataTransfer.effectAllowed = 'move'
}

export const dragsMoment = (event: DragEvent) => event.dataTransfer.types.includes(kind)

export function draggedMoment(event: DragEvent): Dragged | undefined {
  const text = event.dataTransfer.getData(kind)
  return text === '' ? undefined : (JSON.parse(text) as Dragged)
}
