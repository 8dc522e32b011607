/** The callbacks for one kind of event. */
export class Listeners<Event = void> {
  readonly #callbacks = new Set<(event: Event) => void>()

  /** Returns a function that removes the callback. */
  readonly add = (callback: (event: Event) => void): (() => void) => {
    this.#callbacks.add(callback)
    return () => this.#callbacks.delete(callback)
  }

  readonly notify = (event: Event): void => {
    for (const callback of this.#callbacks) callback(event)
  }
}
