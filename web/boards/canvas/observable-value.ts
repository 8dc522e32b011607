import { useSyncExternalStore } from 'react'

/** An observable value for components far apart, without rerendering those in between. */
export class ObservableValue<Value> {
  readonly #listeners = new Set<() => void>()
  #value: Value

  constructor(value: Value) {
    this.#value = value
  }
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }
  readonly getSnapshot = (): Value => this.#value

  set(value: Value): void {
    if (value === this.#value) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }
}

export function useObservable<Value>({ subscribe, getSnapshot }: ObservableValue<Value>): Value {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot)
}
