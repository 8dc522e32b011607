import type { Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import type { Point } from '../document/board-document.ts'
import { ObservableValue } from './observable-value.ts'

export interface LibraryDrag {
  frameType: FrameType
  /** Window pixels. */
  x: number
  y: number
  /** Ctrl inverts snapping. */
  inverted: boolean
}

export interface DropStage {
  element: HTMLElement
  add: (frameType: FrameType) => void
  findSpot: (frameType: FrameType) => Point | undefined
  scrollIntoView: (frame: Frame) => void
  drop: (drag: LibraryDrag) => void
}

export const libraryDrag = new ObservableValue<LibraryDrag | null>(null)
export const activeDropStage = new ObservableValue<DropStage | null>(null)

/** Whether the point hits the canvas itself and not something above it. */
export function isOver({ element }: DropStage, { x, y }: Pick<LibraryDrag, 'x' | 'y'>): boolean {
  const hit = document.elementFromPoint(x, y)
  return hit !== null && element.contains(hit)
}

const dragThreshold = 5

/** Starts a drag after a few pixels; Escape cancels. Listens on the window, because the library can unmount during the drag. */
export function startLibraryDrag(
  frameType: FrameType,
  down: { pointerId: number; clientX: number; clientY: number },
  { onStart, onRefused }: { onStart: () => void; onRefused: () => void },
): void {
  let isDragging = false
  const toLibraryDrag = ({ clientX, clientY, ctrlKey, metaKey }: PointerEvent): LibraryDrag => ({
    frameType,
    x: clientX,
    y: clientY,
    inverted: ctrlKey || metaKey,
  })
  function move(event: PointerEvent) {
    if (event.pointerId !== down.pointerId) return
    if (!isDragging) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < dragThreshold) return
      isDragging = true
      onStart()
    }
    event.preventDefault()
    libraryDrag.set(toLibraryDrag(event))
  }
  function up(event: PointerEvent) {
    if (event.pointerId !== down.pointerId) return
    stop()
    if (!isDragging) return
    swallowClick()
    const drag = toLibraryDrag(event)
    const dropStage = activeDropStage.getSnapshot()
    if (dropStage && isOver(dropStage, drag)) dropStage.drop(drag)
    else if (!dropStage) onRefused()
  }
  function stop() {
    removeEventListener('pointermove', move)
    removeEventListener('pointerup', up)
    removeEventListener('pointercancel', stop)
    removeEventListener('keydown', cancel, true)
    libraryDrag.set(null)
  }
  function cancel(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isDragging) return
    event.preventDefault()
    event.stopPropagation()
    stop()
    addEventListener('pointerup', swallowClick, { capture: true, once: true })
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', up)
  addEventListener('pointercancel', stop)
  addEventListener('keydown', cancel, true)
}

/** A drag that ends where it started would otherwise click the entry. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, true), 50)
}
