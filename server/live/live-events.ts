import type { LiveEvent } from '#contract/live/live-events.ts'
import { type PlainLiveEvent, ProcessBus } from './process-bus.ts'

interface LiveListener {
  onEvent(event: LiveEvent): void
  onMissed?(): void
}

export class LiveEvents {
  readonly #listeners = new Map<string, Set<LiveListener>>()
  readonly #bus: ProcessBus

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
    bus.on('live', ({ personId, event }) => this.publishLocally(personId, event))
    bus.onMissed(() => {
      for (const listeners of [...this.#listeners.values()]) for (const { onMissed } of [...listeners]) onMissed?.()
    })
  }

  subscribe(personId: string, onEvent: LiveListener['onEvent'], onMissed?: LiveListener['onMissed']): () => void {
    const listener = { onEvent, onMissed }
    const listeners = this.#listeners.get(personId) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(personId, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(personId) === listeners) this.#listeners.delete(personId)
    }
  }

  publish(personId: string, event: PlainLiveEvent): void {
    this.publishLocally(personId, event)
    this.#bus.send({ kind: 'live', personId, event })
  }

  publishLocally(personId: string, event: LiveEvent): void {
    for (const { onEvent } of this.#listeners.get(personId) ?? []) onEvent(event)
  }

  hasListener(personId: string): boolean {
    return this.#listeners.has(personId)
  }
}
