import type { RunEvent } from '#contract/agents/runs.ts'

type Follower = (event: RunEvent) => void

/** A run this process is carrying out: the answer so far, who follows it, and the switch that stops it. */
export class LiveRun {
  readonly id: string
  readonly sessionId: string | null
  readonly personId: string | null
  readonly visitorId: string | null
  readonly abort = new AbortController()
  readonly finished: Promise<void>
  response = ''
  /** Set once; after it nothing more is told. */
  ending: RunEvent | undefined
  /** Something changed since the row was last written. */
  dirty = true
  readonly #followers = new Set<Follower>()
  readonly #finish: () => void

  constructor(facts: { id: string; sessionId: string | null; personId: string | null; visitorId: string | null }) {
    this.id = facts.id
    this.sessionId = facts.sessionId
    this.personId = facts.personId
    this.visitorId = facts.visitorId
    const { promise, resolve } = Promise.withResolvers<void>()
    this.finished = promise
    this.#finish = resolve
  }

  append(delta: string): void {
    this.response += delta
    this.dirty = true
    this.tell({ event: 'text', data: { delta } })
  }

  tell(event: RunEvent): void {
    for (const follower of this.#followers) follower(event)
  }

  end(event: RunEvent): void {
    this.ending = event
    this.tell(event)
    this.#followers.clear()
    this.#finish()
  }

  /** Returns the function that stops following. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }
}

type Whose = { personId: string | null; visitorId: string | null }

/** The runs under way in this process. Those of other processes are seen through their rows. */
export class RunRegistry {
  readonly #runs = new Map<string, LiveRun>()
  readonly #beginning = new Set<Whose>()

  /** Counts a run that is about to begin, so that many asked for at once do not all see room. Returns the function that ends that. */
  announce(whose: Whose): () => void {
    const announced = { ...whose }
    this.#beginning.add(announced)
    return () => this.#beginning.delete(announced)
  }

  add(run: LiveRun): void {
    this.#runs.set(run.id, run)
    void run.finished.then(() => this.#runs.delete(run.id))
  }

  find(runId: string): LiveRun | undefined {
    return this.#runs.get(runId)
  }

  all(): LiveRun[] {
    return [...this.#runs.values()]
  }

  /** Runs under way and about to begin. */
  countFor(who: Whose): number {
    let count = 0
    for (const run of [...this.#runs.values(), ...this.#beginning]) {
      if (who.personId ? run.personId === who.personId : run.visitorId === who.visitorId) count++
    }
    return count
  }

  get size(): number {
    return this.#runs.size
  }
}
