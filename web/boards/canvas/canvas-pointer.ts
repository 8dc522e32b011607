import type { Point } from '../document/board-document.ts'

/** Pointer position in canvas pixels; null outside the canvas. */
class CanvasPointer {
  readonly #listeners = new Set<() => void>()
  #position: Point | null = null

  readonly subscribe = (moved: () => void): (() => void) => {
    this.#listeners.add(moved)
    return () => this.#listeners.delete(moved)
  }
  readonly getSnapshot = (): Point | null => this.#position

  set(position: Point | null): void {
    if (position?.x === this.#position?.x && position?.y === this.#position?.y) return
    this.#position = position
    for (const listener of this.#listeners) listener()
  }
}

export const canvasPointer = new CanvasPointer()
