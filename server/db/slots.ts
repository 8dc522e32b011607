/** Values by reusable number. A `Map` regularly replaces its table, and old tables would keep finished requests in memory until a full collection. */
export class Slots<Value extends object> {
  readonly #values: (Value | undefined)[] = []
  readonly #free: number[] = []

  put(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length
    this.#values[slot] = value
    return slot
  }

  take(slot: number): Value | undefined {
    const value = this.#values[slot]
    if (value === undefined) return undefined
    this.#values[slot] = undefined
    this.#free.push(slot)
    return value
  }

  takeAll(): Value[] {
    const all = this.#values.filter((value) => value !== undefined)
    for (const slot of this.#values.keys()) this.take(slot)
    return all
  }
}
