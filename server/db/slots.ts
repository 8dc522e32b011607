/** Values by reusable number. A `Map` regularly replaces its table, and old tables would keep finished requests in memory until a full collection. */
export class Slots<Held extends object> {
  readonly #values: (Held | undefined)[] = []
  readonly #free: number[] = []

  put(held: Held): number {
    const slot = this.#free.pop() ?? this.#values.length
    this.#values[slot] = held
    return slot
  }

  take(slot: number): Held | undefined {
    const held = this.#values[slot]
    if (held === undefined) return undefined
    this.#values[slot] = undefined
    this.#free.push(slot)
    return held
  }

  takeAll(): Held[] {
    const all = this.#values.filter((held) => held !== undefined)
    for (const slot of this.#values.keys()) this.take(slot)
    return all
  }
}
