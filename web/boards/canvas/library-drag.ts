import type { Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import type { Point } from '../document/board-document.ts'
import { SeenValue } from './seen-value.ts'

/** A library frame being dragged to the canvas. */
export interface LibraryDrag {
  frameType: FrameType
  /** Window pixels. */
  x: number
  y: number
  /** Ctrl inverts snapping. */
  inverted: boolean
}

/** The editable canvas that receives frames from the library. */
export interface Stage {
  element: HTMLElement
  /** Adds a frame in the visible area. */
  add: (frameType: FrameType) => void
  /** A free spot in the visible area, if there is one. */
  spotFor: (frameType: FrameType) => Point | undefined
  /** Scrolls just enough to show the frame. */
  bringIn: (frame: Frame) => void
  drop: (drag: LibraryDrag) => void
}

export const libraryDrag = new SeenValue<LibraryDrag | null>(null)
export const stage = new SeenValue<Stage | null>(null)

/** Whether the point hits the canvas itself and not something above it. */
export function isOver({ element }: Stage, { x, y }: Pick<LibraryDrag, 'x' | 'y'>): boolean {
  const hit = document.elementFromPoint(x, y)
  return hit !== null && element.contains(hit)
}

const farEnough = 5

/** Starts a drag after a few pixels; Escape cancels. Listens on the window, because the library can unmount during the drag. */
export function followFromLibrary(
  frameType: FrameType,
  down: { pointerId: number; clientX: number; clientY: number },
  { onStart, onRefused }: { onStart: () => void; onRefused: () => void },
): void {
  let isDragging = false
  const dragOf = ({ clientX, clientY, ctrlKey, metaKey }: PointerEvent): LibraryDrag => ({
    frameType,
    x: clientX,
    y: clientY,
    inverted: ctrlKey || metaKey,
  })
  function move(event: PointerEvent) {
    if (event.pointerId !== down.pointerId) return
    if (!isDragging) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < farEnough) return
      isDragging = true
      onStart()
    }
    event.preventDefault()
    libraryDrag.set(dragOf(event))
  }
  function up(event: PointerEvent) {
    if (event.pointerId !== down.pointerId) return
    stop()
    if (!isDragging) return
    swallowClick()
    const drag = dragOf(event)
    const taker = stage.seen()
    if (taker && isOver(taker, drag)) taker.drop(drag)
    else if (!taker) onRefused()
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
