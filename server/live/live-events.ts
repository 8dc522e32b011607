import type { LiveEvent } from '#contract/live/live-events.ts'

type Listener = (event: LiveEvent) => void

/** Tells every open tab of a person what happened, within this process. */
export class LiveEvents {
  readonly #listeners = new Map<string, Set<Listener>>()

  /** Returns the function that ends the subscription. */
  subscribe(personId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(personId) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(personId, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(personId) === listeners) this.#listeners.delete(personId)
    }
  }

  tell(personId: string, event: LiveEvent): void {
    for (const listener of this.#listeners.get(personId) ?? []) listener(event)
  }
}
