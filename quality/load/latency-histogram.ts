const bucketsPerMs = 10
/** Longer durations count as this. */
const maxMs = 60_000

/** Durations with a resolution of 0.1 ms, in constant memory. */
export class LatencyHistogram {
  readonly #counts = new Uint32Array(maxMs * bucketsPerMs)
  count = 0
  max = 0

  add(ms: number): void {
    const bucket = Math.min(this.#counts.length - 1, Math.max(0, Math.round(ms * bucketsPerMs)))
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.count += 1
    this.max = Math.max(this.max, ms)
  }

  /** Nearest rank; `share` from 0 to 1. */
  getQuantile(share: number): number {
    const rank = Math.max(1, Math.ceil(this.count * share))
    let cumulative = 0
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      cumulative += this.#counts[bucket] ?? 0
      if (cumulative >= rank) return bucket / bucketsPerMs
    }
    return Number.NaN
  }
}
