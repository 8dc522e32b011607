/** So much of a turn of the event loop may pass before what else one of them asks waits for the next turn. In milliseconds. */
const shareOfTurn = 5

/**
 * Lets nobody fill the event loop: who sends a thousand requests at once gets the first few carried out, and then one a turn,
 * with those of everybody else between. Who asks now and then never waits.
 */
export class FairTurns {
  readonly #began = new Set<string>()
  readonly #waiting = new Map<string, (() => void)[]>()
  #turnBegan: number | undefined

  /** Resolves when a request of theirs may be carried out; `undefined` when that is now. */
  turnOf(who: string): Promise<void> | undefined {
    const line = this.#waiting.get(who)
    if (line) return new Promise((resolve) => line.push(resolve))
    const now = performance.now()
    if (this.#turnBegan === undefined) this.#beginTurn(now)
    else if (this.#began.has(who) && now - this.#turnBegan > shareOfTurn)
      return new Promise((resolve) => this.#waiting.set(who, [resolve]))
    this.#began.add(who)
    return undefined
  }

  #beginTurn(now: number): void {
    this.#turnBegan = now
    setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#turnBegan = undefined
    this.#began.clear()
    if (this.#waiting.size === 0) return
    this.#beginTurn(performance.now())
    for (const [who, line] of this.#waiting) {
      line.shift()?.()
      if (line.length === 0) this.#waiting.delete(who)
      this.#began.add(who)
    }
  }
}
