import type { Point } from '../document/board-document.ts'

/** Pointer position in canvas pixels; null outside the canvas. */
class CanvasPointer {
  readonly #listeners = new Set<() => void>()
  #at: Point | null = null

  readonly subscribe = (moved: () => void): (() => void) => {
    this.#listeners.add(moved)
    return () => this.#listeners.delete(moved)
  }
  readonly getSnapshot = (): Point | null => this.#at

  set(at: Point | null): void {
    if (at?.x === this.#at?.x && at?.y === this.#at?.y) return
    this.#at = at
    for (const listener of this.#listeners) listener()
  }
}

export const canvasPointer = new CanvasPointer()
