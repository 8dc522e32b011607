import { useEffect, useState } from 'react'

/** Frames that get their body in one animation frame. */
const atOnce = 3

/**
 * Bodies of frames are made in turn, and none while the canvas moves: panning onto a hundred frames shows their heads at
 * once and never waits for what is in them.
 */
export class BodyTurns {
  readonly #waiting = new Set<() => void>()
  #isMoving = false
  #asked = 0

  /** Calls `start` when it is its turn; answers what takes it out of the line. */
  ask(start: () => void): () => void {
    this.#waiting.add(start)
    this.#next()
    return () => this.#waiting.delete(start)
  }

  moving(isMoving: boolean): void {
    this.#isMoving = isMoving
    if (!isMoving) this.#next()
  }

  #next(): void {
    if (this.#asked !== 0 || this.#isMoving || this.#waiting.size === 0) return
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0
      if (this.#isMoving) return
      for (const start of [...this.#waiting].slice(0, atOnce)) {
        this.#waiting.delete(start)
        start()
      }
      this.#next()
    })
  }
}

/**
 * Whether a frame that is in sight has had its turn. Once made, its body stays as long as the frame is shown, and longer
 * with `isKept`.
 */
export function useBodyTurn(turns: BodyTurns, isWanted: boolean, isKept: boolean): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    if (!isWanted || isHere) return
    return turns.ask(() => setHere(true))
  }, [turns, isWanted, isHere])
  return isHere && (isWanted || isKept)
}
