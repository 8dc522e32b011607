import type { DragEvent } from 'react'

const momentDragType = 'application/x-keeper-moment'

interface DraggedMoment {
  momentId: string
  /** The source waypoint, or `null` for the river. */
  from: string | null
}

export function startDragging(event: DragEvent, dragged: DraggedMoment): void {
  event.dataTransfer.setData(momentDragType, JSON.stringify(dragged))
  event.dataTransfer.effectAllowed = 'move'
}

export const isMomentDrag = (event: DragEvent) => event.dataTransfer.types.includes(momentDragType)

export function getDraggedMoment(event: DragEvent): DraggedMoment | undefined {
  const text = event.dataTransfer.getData(momentDragType)
  return text === '' ? undefined : (JSON.parse(text) as DraggedMoment)
}
