import { useSyncExternalStore } from 'react'

/** An observable value for components far apart, without rerendering those in between. */
export class SeenValue<Value> {
  readonly #listeners = new Set<() => void>()
  #value: Value

  constructor(value: Value) {
    this.#value = value
  }
  readonly listen = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }
  readonly seen = (): Value => this.#value

  set(value: Value): void {
    if (value === this.#value) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }
}

export function useSeen<Value>({ listen, seen }: SeenValue<Value>): Value {
  return useSyncExternalStore(listen, seen, seen)
}
