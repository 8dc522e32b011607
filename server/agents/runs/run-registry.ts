import type { RunEvent, RunSource, RunSpan } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'

type Follower = (event: RunEvent) => void
export type Word = 'yes' | 'no' | 'late' | 'stopped'

export class LiveRun {
  readonly id: string
  readonly agentId: string
  readonly sessionId: string | null
  readonly personId: string | null
  readonly visitorId: string | null
  readonly abort = new AbortController()
  readonly finished: Promise<void>
  response = ''
  /** The fallback model, if it answered. */
  answeredBy: { provider: string; model: string } | undefined
  /** Set once; no events follow it. */
  ending: RunEvent | undefined
  retryAfterSeconds: number | undefined
  dirty = true
  readonly tools: ToolCall[] = []
  readonly sources: RunSource[] = []
  toolsDirty = false
  /** Parents before their children. */
  readonly steps: RunSpan[] = []
  /** Tool calls waiting for permission, with their deadline (epoch milliseconds). */
  readonly asks = new Map<string, { until: number; answer(word: Word): void }>()
  readonly #followers = new Set<Follower>()
  readonly #finish: () => void

  constructor(facts: Whose & { id: string; sessionId: string | null }) {
    this.id = facts.id
    this.agentId = facts.agentId
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

  /** Reasoning often quotes the purpose, which visitors don't see. */
  tellReasoning(delta: string): void {
    if (this.personId) this.tell({ event: 'reasoning', data: { delta } })
  }

  tellTool(call: ToolCall): void {
    const at = this.tools.findIndex(({ id }) => id === call.id)
    if (at < 0) this.tools.push(call)
    else this.tools[at] = call
    this.toolsDirty = true
    this.tell({ event: 'tool', data: call })
  }

  tellSource(found: Omit<RunSource, 'n'>): number {
    const known = this.sources.find(({ entity, id }) => entity === found.entity && id === found.id)
    if (known) return known.n
    const source = { ...found, n: this.sources.length + 1 }
    this.sources.push(source)
    this.toolsDirty = true
    this.tell({ event: 'source', data: source })
    return source.n
  }

  /** Visitors don't see how an agent works. */
  tellSpan(span: RunSpan): void {
    if (!this.steps.includes(span)) this.steps.push(span)
    if (this.personId) this.tell({ event: 'span', data: { ...span, input: null, output: null, reasoning: null } })
  }

  tellSpanText(span: RunSpan, delta: string): void {
    span.output = `${typeof span.output === 'string' ? span.output : ''}${delta}`
    if (this.personId) this.tell({ event: 'span-text', data: { span_id: span.id, delta } })
  }

  spans(): RunSpan[] {
    return this.steps.map((span) => ({ ...span }))
  }

  waitForWord(callId: string, until: number): Promise<Word> {
    return new Promise((resolve) => {
      const stop = () => answer('stopped')
      const answer = (word: Word) => {
        this.asks.delete(callId)
        this.abort.signal.removeEventListener('abort', stop)
        resolve(word)
      }
      this.asks.set(callId, { until, answer })
      this.abort.signal.addEventListener('abort', stop)
      if (this.abort.signal.aborted) stop()
    })
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

  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }
}

type Whose = { agentId: string; personId: string | null; visitorId: string | null }

/** Runs of this process. Those of other processes are visible only through their rows. */
export class RunRegistry {
  readonly #runs = new Map<string, LiveRun>()
  readonly #beginning = new Set<Whose>()
  readonly #heldForNothing = new Set<string>()

  /** Counts a run before it starts, so that concurrent starts respect the limit. Returns the function that undoes it. */
  announce(whose: Whose): () => void {
    const announced = { ...whose }
    this.#beginning.add(announced)
    return () => this.#beginning.delete(announced)
  }

  holdForNothing(runId: string): void {
    this.#heldForNothing.add(runId)
  }

  async giveBack(giveBack: (runId: string) => Promise<void>): Promise<void> {
    for (const runId of this.#heldForNothing) {
      await giveBack(runId)
      this.#heldForNothing.delete(runId)
    }
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

  /** Running and starting runs. */
  countFor(who: Pick<Whose, 'personId' | 'visitorId'>): number {
    let count = 0
    for (const run of [...this.#runs.values(), ...this.#beginning]) {
      if (who.personId ? run.personId === who.personId : run.visitorId === who.visitorId) count++
    }
    return count
  }

  countVisitorsOf(agentId: string): number {
    let count = 0
    for (const run of [...this.#runs.values(), ...this.#beginning])
      if (run.visitorId !== null && run.agentId === agentId) count++
    return count
  }

  get size(): number {
    return this.#runs.size
  }
}
