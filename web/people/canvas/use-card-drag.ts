import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DomainRole, domainRoles } from '#contract/domains/domain-actions.ts'
import type { DomainPerson } from '#contract/domains/people.ts'

export interface DraggedCard {
  id: string
  /** Distance from the start, in page pixels. */
  x: number
  y: number
  over: DomainRole | undefined
}

const startsAfterPixels = 5
const edgePixels = 56

/** A mouse drags cards anywhere, touch only by the handle, so that swiping still scrolls. Escape cancels. */
export function useCardDrag(onDrop: (person: DomainPerson, zone: DomainRole) => void) {
  const [dragged, setDragged] = useState<DraggedCard>()
  const from = useRef<{ person: DomainPerson; x: number; y: number; pointerId: number }>(undefined)

  const cancel = useEffectEvent(() => {
    from.current = undefined
    setDragged(undefined)
  })
  useEffect(() => {
    const keyDown = (event: KeyboardEvent) => event.key === 'Escape' && cancel()
    addEventListener('keydown', keyDown)
    return () => removeEventListener('keydown', keyDown)
  }, [])

  const card = (person: DomainPerson) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const on = event.target as Element
      const onHandle = on.closest('[data-handle]') !== null
      if (!person.mayChange || event.button !== 0 || on.closest('select')) return
      if (event.pointerType !== 'mouse' && !onHandle) return
      from.current = { person, x: event.pageX, y: event.pageY, pointerId: event.pointerId }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const start = from.current
      if (start?.pointerId !== event.pointerId) return
      const [x, y] = [event.pageX - start.x, event.pageY - start.y]
      if (!dragged && Math.hypot(x, y) < startsAfterPixels) return
      // Capturing earlier would swallow the click on the name.
      if (!dragged) event.currentTarget.setPointerCapture(event.pointerId)
      if (event.clientY < edgePixels) scrollBy(0, -14)
      else if (event.clientY > innerHeight - edgePixels) scrollBy(0, 14)
      setDragged({ id: person.id, x, y, over: zoneAt(event.clientX, event.clientY) })
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (from.current?.pointerId !== event.pointerId) return
      from.current = undefined
      setDragged(undefined)
      const zone = dragged && zoneAt(event.clientX, event.clientY)
      if (zone) onDrop(person, zone)
    },
    onPointerCancel() {
      from.current = undefined
      setDragged(undefined)
    },
  })
  return { dragged, card }
}

function zoneAt(x: number, y: number): DomainRole | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const name = element.closest('[data-zone]')?.getAttribute('data-zone')
    if (name) return domainRoles.find((zone) => zone === name)
  }
  return undefined
}
