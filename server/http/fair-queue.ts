/** So much of a turn of the event loop may pass before what else one of them asks waits for the next turn. In milliseconds. */
const shareOfTurn = 5
/** Whose line is longer rests after each of theirs while others ask, too; no page asks for so much at once. */
const longLine = 20
/** Since somebody else asked. */
const othersAskForMs = 1000

interface Line {
  waiting: (() => void)[]
  restsUntil: number
}

/**
 * Lets nobody fill the event loop: who sends a thousand requests at once gets the first few carried out, and then one a turn,
 * with those of everybody else between, and a third of the time at most while there are others. Who is alone gets their
 * share of each turn, so that whoever comes then waits no longer than that. Who asks now and then never waits.
 */
export class FairQueue {
  readonly #began = new Set<string>()
  readonly #lines = new Map<string, Line>()
  #turnBegan: number | undefined
  #waking: NodeJS.Timeout | undefined
  #askedLast: string | undefined
  #othersAskedAt = Number.NEGATIVE_INFINITY

  /** Resolves when a request of theirs may be carried out; `undefined` when that is now. */
  turnOf(who: string): Promise<void> | undefined {
    this.#lookForOthers(who)
    const line = this.#lines.get(who)
    if (line) return new Promise((resolve) => line.waiting.push(resolve))
    const now = performance.now()
    if (this.#turnBegan === undefined) this.#beginTurn(now)
    else if (this.#began.has(who) && this.#isSpent(now))
      return new Promise((resolve) => this.#lines.set(who, { waiting: [resolve], restsUntil: 0 }))
    this.#began.add(who)
    return undefined
  }

  #lookForOthers(who: string): void {
    if (this.#askedLast === who) return
    if (this.#askedLast !== undefined) this.#othersAskedAt = performance.now()
    this.#askedLast = who
  }

  #beginTurn(now: number): void {
    this.#turnBegan = now
    setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    const now = performance.now()
    const took = now - (this.#turnBegan ?? now)
    if (this.#othersAsk(now)) this.#letRest(now + 2 * took)
    this.#turnBegan = undefined
    this.#began.clear()
    this.#beginWaiting(now)
  }

  /** Whether the share of the turn is used up; where no turn is under way there is none. */
  #isSpent(now: number): boolean {
    return this.#turnBegan === undefined || now - this.#turnBegan > shareOfTurn
  }

  #othersAsk(now: number): boolean {
    return now - this.#othersAskedAt < othersAskForMs
  }

  #letRest(until: number): void {
    for (const who of this.#began) {
      const line = this.#lines.get(who)
      if (line && line.waiting.length > longLine) line.restsUntil = until
    }
  }

  #beginWaiting(now: number): void {
    clearTimeout(this.#waking)
    if (this.#lines.size === 0) return
    const rests = Math.min(...Array.from(this.#lines.values(), ({ restsUntil }) => restsUntil)) - now
    if (rests > 0) {
      this.#waking = setTimeout(() => this.#beginWaiting(performance.now()), Math.ceil(rests))
      return
    }
    if (this.#turnBegan === undefined) this.#beginTurn(now)
    for (const [who, line] of this.#lines) {
      if (line.restsUntil > now) continue
      this.#beginNext(who, line)
      if (!this.#othersAsk(now)) this.#beginMore(who, line)
    }
  }

  #beginNext(who: string, line: Line): void {
    line.waiting.shift()?.()
    if (line.waiting.length === 0) this.#lines.delete(who)
    this.#began.add(who)
  }

  #beginMore(who: string, line: Line): void {
    const more = () => {
      const now = performance.now()
      if (this.#isSpent(now) || this.#othersAsk(now) || this.#lines.get(who) !== line) return
      this.#beginNext(who, line)
      this.#beginMore(who, line)
    }
    // A tick that a microtask asks for comes after all of them: what was begun has gone as far as it goes in this turn.
    queueMicrotask(() => process.nextTick(more))
  }
}
