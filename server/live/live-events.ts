import type { LiveEvent } from '#contract/live/live-events.ts'
import { type PlainLiveEvent, ProcessBus } from './process-bus.ts'

interface Listener {
  hear(event: LiveEvent): void
  /** Events of other processes may have been missed. */
  missed?(): void
}

/** Delivers events to every open tab of a person, at whichever process. */
export class LiveEvents {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #bus: ProcessBus

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
    bus.on('live', ({ personId, event }) => this.tellHere(personId, event))
    bus.onMissed(() => {
      for (const listeners of [...this.#listeners.values()]) for (const { missed } of [...listeners]) missed?.()
    })
  }

  subscribe(personId: string, hear: Listener['hear'], missed?: Listener['missed']): () => void {
    const listener = { hear, missed }
    const listeners = this.#listeners.get(personId) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(personId, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(personId) === listeners) this.#listeners.delete(personId)
    }
  }

  tell(personId: string, event: PlainLiveEvent): void {
    this.tellHere(personId, event)
    this.#bus.send({ kind: 'live', personId, event })
  }

  /** Publishes only to tabs at this process. */
  tellHere(personId: string, event: LiveEvent): void {
    for (const { hear } of this.#listeners.get(personId) ?? []) hear(event)
  }

  /** Whether the person has a tab at this process. */
  isHeardBy(personId: string): boolean {
    return this.#listeners.has(personId)
  }
}
