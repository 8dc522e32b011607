import type { Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import type { Point } from '../document/board-document.ts'
import { ObservableValue } from './canvas-context.ts'

export interface LibraryDrag {
  frameType: FrameType
  /** Window pixels. */
  x: number
  y: number
  /** Ctrl inverts snapping. */
  isSnapInverted: boolean
}

/** The canvas of the open board, as the target of frames from the library. */
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
  const hitElement = document.elementFromPoint(x, y)
  return hitElement !== null && element.contains(hitElement)
}

const dragThresholdPixels = 5
/** A click follows the end of its drag within this time. */
const clickTimeoutMs = 50

/** Starts a drag after a few pixels; Escape cancels. Listens on the window, because the library can unmount during the drag. */
export function startLibraryDrag(
  frameType: FrameType,
  pointerDown: { pointerId: number; clientX: number; clientY: number },
  { onStart, onNoTarget }: { onStart: () => void; onNoTarget: () => void },
): void {
  let isDragging = false
  const toLibraryDrag = ({ clientX, clientY, ctrlKey, metaKey }: PointerEvent): LibraryDrag => ({
    frameType,
    x: clientX,
    y: clientY,
    isSnapInverted: ctrlKey || metaKey,
  })
  function handlePointerMove(event: PointerEvent) {
    if (event.pointerId !== pointerDown.pointerId) return
    if (!isDragging) {
      if (Math.hypot(event.clientX - pointerDown.clientX, event.clientY - pointerDown.clientY) < dragThresholdPixels)
        return
      isDragging = true
      onStart()
    }
    event.preventDefault()
    libraryDrag.set(toLibraryDrag(event))
  }
  function handlePointerUp(event: PointerEvent) {
    if (event.pointerId !== pointerDown.pointerId) return
    stopDrag()
    if (!isDragging) return
    suppressNextClick()
    const drag = toLibraryDrag(event)
    const dropStage = activeDropStage.getSnapshot()
    if (dropStage && isOver(dropStage, drag)) dropStage.drop(drag)
    else if (!dropStage) onNoTarget()
  }
  function stopDrag() {
    removeEventListener('pointermove', handlePointerMove)
    removeEventListener('pointerup', handlePointerUp)
    removeEventListener('pointercancel', stopDrag)
    removeEventListener('keydown', cancelOnEscape, true)
    libraryDrag.set(null)
  }
  function cancelOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isDragging) return
    event.preventDefault()
    event.stopPropagation()
    stopDrag()
    addEventListener('pointerup', suppressNextClick, { capture: true, once: true })
  }
  addEventListener('pointermove', handlePointerMove)
  addEventListener('pointerup', handlePointerUp)
  addEventListener('pointercancel', stopDrag)
  addEventListener('keydown', cancelOnEscape, true)
}

/** A drag that ends where it started would otherwise click the entry. */
function suppressNextClick(): void {
  const suppressClick = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', suppressClick, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', suppressClick, true), clickTimeoutMs)
}
