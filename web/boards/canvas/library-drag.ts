import type { Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import type { Point } from '../document/board-document.ts'
import { SeenValue } from './seen-value.ts'

/** A frame of the library under the pointer, on its way to the canvas. */
export interface LibraryDrag {
  frameType: FrameType
  /** Pixels of the window. */
  x: number
  y: number
  /** The other way of snapping is wanted. */
  inverted: boolean
}

/** The canvas that takes what the library gives: the one on the page that can be changed. */
export interface Stage {
  element: HTMLElement
  /** Where one looks. */
  add: (frameType: FrameType) => void
  /** A place for it where one looks, if there is one. */
  spotFor: (frameType: FrameType) => Point | undefined
  /** Moves the view as little as it takes to see the frame. */
  bringIn: (frame: Frame) => void
  drop: (drag: LibraryDrag) => void
}

export const libraryDrag = new SeenValue<LibraryDrag | null>(null)
export const stage = new SeenValue<Stage | null>(null)

/** Whether it would fall onto the canvas, and not onto something that lies over it. */
export function isOver({ element }: Stage, { x, y }: Pick<LibraryDrag, 'x' | 'y'>): boolean {
  const hit = document.elementFromPoint(x, y)
  return hit !== null && element.contains(hit)
}

const farEnough = 5

/**
 * Follows a pointer that went down on an entry: past a few pixels the frame goes along, until it is let go, or Escape.
 * Listens at the window, so that the entry may disappear meanwhile (the sheet of a phone closes).
 */
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

/** A drag that ends over where it began would count as a click. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, true), 50)
}
