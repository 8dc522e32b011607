import type { ModelRuntime } from '#server/models/model-request.ts'

export interface VirtualRuntime extends ModelRuntime {
  /** Requested waits in milliseconds, in order. */
  waits: number[]
  /** Moves the clock without waiting. */
  advance(ms: number): void
}

/** Waits advance the clock but take no time; the network is real unless `fetch` is set. */
export function createVirtualRuntime({
  random = 0.5,
  fetch = globalThis.fetch,
  now = Date.now(),
} = {}): VirtualRuntime {
  const startedAt = Date.now()
  let waited = 0
  const waits: number[] = []
  return {
    waits,
    fetch,
    now: () => now + (Date.now() - startedAt) + waited,
    random: () => random,
    advance: (ms) => {
      waited += ms
    },
    sleep: async (ms) => {
      waits.push(ms)
      waited += ms
    },
  }
}
