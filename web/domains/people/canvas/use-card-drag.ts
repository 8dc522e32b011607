import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DomainRole, domainRoles } from '#contract/domains/domain-actions.ts'
import type { DomainPerson } from '#contract/domains/people.ts'

export interface DraggedCard {
  id: string
  /** Distance from the start, in page pixels. */
  x: number
  y: number
  zone: DomainRole | undefined
}

const dragThresholdPixels = 5
const scrollEdgePixels = 56

/** A mouse drags cards anywhere, touch only by the handle, so that swiping still scrolls. Escape cancels. */
export function useCardDrag(onDrop: (person: DomainPerson, zone: DomainRole) => void) {
  const [dragged, setDragged] = useState<DraggedCard>()
  const dragStart = useRef<{ person: DomainPerson; x: number; y: number; pointerId: number }>(undefined)

  const cancel = useEffectEvent(() => {
    dragStart.current = undefined
    setDragged(undefined)
  })
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && cancel()
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [])

  const getCardProps = (person: DomainPerson) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const target = event.target as Element
      const isOnHandle = target.closest('[data-handle]') !== null
      if (!person.mayChange || event.button !== 0 || target.closest('select')) return
      if (event.pointerType !== 'mouse' && !isOnHandle) return
      dragStart.current = { person, x: event.pageX, y: event.pageY, pointerId: event.pointerId }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const start = dragStart.current
      if (start?.pointerId !== event.pointerId) return
      const [x, y] = [event.pageX - start.x, event.pageY - start.y]
      if (!dragged && Math.hypot(x, y) < dragThresholdPixels) return
      // Capturing earlier would swallow the click on the name.
      if (!dragged) event.currentTarget.setPointerCapture(event.pointerId)
      if (event.clientY < scrollEdgePixels) scrollBy(0, -14)
      else if (event.clientY > innerHeight - scrollEdgePixels) scrollBy(0, 14)
      setDragged({ id: person.id, x, y, zone: findZoneAt(event.clientX, event.clientY) })
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (dragStart.current?.pointerId !== event.pointerId) return
      dragStart.current = undefined
      setDragged(undefined)
      const zone = dragged && findZoneAt(event.clientX, event.clientY)
      if (zone) onDrop(person, zone)
    },
    onPointerCancel() {
      dragStart.current = undefined
      setDragged(undefined)
    },
  })
  return { dragged, getCardProps: getCardProps }
}

function findZoneAt(x: number, y: number): DomainRole | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const name = element.closest('[data-zone]')?.getAttribute('data-zone')
    if (name) return domainRoles.find((zone) => zone === name)
  }
  return undefined
}
