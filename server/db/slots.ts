/**
 * What is held for a while under a number, which is given to the next when it is free again.
 *
 * Not a `Map`: after as many entries as it has room for V8 gives a map a new table, and the old table points to it. Once one
 * of them has grown old, all that come after it are kept with it, and with them what they held, request by request, until the
 * whole heap is collected.
 */
export class Slots<Held extends object> {
  readonly #held: (Held | undefined)[] = []
  readonly #free: number[] = []

  put(held: Held): number {
    const slot = this.#free.pop() ?? this.#held.length
    this.#held[slot] = held
    return slot
  }

  /** What it held, which it then holds no more. */
  take(slot: number): Held | undefined {
    const held = this.#held[slot]
    if (held === undefined) return undefined
    this.#held[slot] = undefined
    this.#free.push(slot)
    return held
  }

  takeAll(): Held[] {
    const all = this.#held.filter((held) => held !== undefined)
    for (const slot of this.#held.keys()) this.take(slot)
    return all
  }
}
