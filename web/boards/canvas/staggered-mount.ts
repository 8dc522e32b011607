import { useEffect, useState } from 'react'

/** Bodies mounted per animation frame. */
const mountBatchSize = 3

/** Mounts frame bodies in small batches, and none while the canvas moves, so that panning stays smooth. */
export class StaggeredMount {
  readonly #queue = new Set<() => void>()
  #isMoving = false
  #frameRequest = 0

  /** Queues `start`; returns a function that removes it from the queue. */
  enqueue(start: () => void): () => void {
    this.#queue.add(start)
    this.#mountNextBatch()
    return () => this.#queue.delete(start)
  }

  setMoving(isMoving: boolean): void {
    this.#isMoving = isMoving
    if (!isMoving) this.#mountNextBatch()
  }

  #mountNextBatch(): void {
    if (this.#frameRequest !== 0 || this.#isMoving || this.#queue.size === 0) return
    this.#frameRequest = requestAnimationFrame(() => {
      this.#frameRequest = 0
      if (this.#isMoving) return
      for (const start of [...this.#queue].slice(0, mountBatchSize)) {
        this.#queue.delete(start)
        start()
      }
      this.#mountNextBatch()
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
