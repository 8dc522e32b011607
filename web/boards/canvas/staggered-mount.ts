import { useEffect, useState } from 'react'

/** Bodies mounted per animation frame. */
const mountBatchSize = 3

/** Mounts frame bodies in small batches, and none while the canvas moves, so that panning stays smooth. */
export class StaggeredMount {
  readonly #waiting = new Set<() => void>()
  #isMoving = false
  #frameRequest = 0

  /** Queues `start`; returns a function that removes it from the queue. */
  enqueue(start: () => void): () => void {
    this.#waiting.add(start)
    this.#next()
    return () => this.#waiting.delete(start)
  }

  setMoving(isMoving: boolean): void {
    this.#isMoving = isMoving
    if (!isMoving) this.#next()
  }

  #next(): void {
    if (this.#frameRequest !== 0 || this.#isMoving || this.#waiting.size === 0) return
    this.#frameRequest = requestAnimationFrame(() => {
      this.#frameRequest = 0
      if (this.#isMoving) return
      for (const start of [...this.#waiting].slice(0, mountBatchSize)) {
        this.#waiting.delete(start)
        start()
      }
      this.#next()
    })
  }
}

/** Whether a frame body should be mounted. It stays mounted while visible, and longer with `isPinned`. */
export function useStaggeredMount(staggeredMount: StaggeredMount, isVisible: boolean, isPinned: boolean): boolean {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => {
    if (!isVisible || isMounted) return
    return staggeredMount.enqueue(() => setMounted(true))
  }, [staggeredMount, isVisible, isMounted])
  return isMounted && (isVisible || isPinned)
}
