import type { RunEvent, RunSource, RunSpan } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'

type Follower = (event: RunEvent) => void
/** What became of a question to the person: their word, nobody's within its time, or the run was stopped. */
export type Word = 'yes' | 'no' | 'late' | 'stopped'

/** A run this process is carrying out: the answer so far, who follows it, and the switch that stops it. */
export class LiveRun {
  readonly id: string
  readonly agentId: string
  readonly sessionId: string | null
  readonly personId: string | null
  readonly visitorId: string | null
  readonly abort = new AbortController()
  readonly finished: Promise<void>
  response = ''
  /** The model that took the place of the agent's own. */
  answeredBy: { provider: string; model: string } | undefined
  /** Set once; after it nothing more is told. */
  ending: RunEvent | undefined
  /** When a run that ended over a budget may be tried again. */
  retryAfterSeconds: number | undefined
  /** Something changed since the row was last written. */
  dirty = true
  /** Calls of tools so far, each as it is now. */
  readonly tools: ToolCall[] = []
  readonly sources: RunSource[] = []
  /** Tools or sources changed since the row was last written. */
  toolsDirty = false
  /** Every step so far, parents before their children. */
  readonly steps: RunSpan[] = []
  /** Tool calls that wait for the person's word, and until when (milliseconds since 1970). */
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

  /** Thinking often quotes the purpose, which visitors do not see. */
  tellReasoning(delta: string): void {
    if (this.personId) this.tell({ event: 'reasoning', data: { delta } })
  }

  /** Keeps a tool call as it is now and tells it. */
  tellTool(call: ToolCall): void {
    const at = this.tools.findIndex(({ id }) => id === call.id)
    if (at < 0) this.tools.push(call)
    else this.tools[at] = call
    this.toolsDirty = true
    this.tell({ event: 'tool', data: call })
  }

  /** Keeps where something comes from. Returns its number. */
  tellSource(found: Omit<RunSource, 'n'>): number {
    const known = this.sources.find(({ entity, id }) => entity === found.entity && id === found.id)
    if (known) return known.n
    const source = { ...found, n: this.sources.length + 1 }
    this.sources.push(source)
    this.toolsDirty = true
    this.tell({ event: 'source', data: source })
    return source.n
  }

  /** Keeps a step that began, or that ended. Visitors are not told how an agent works. */
  tellSpan(span: RunSpan): void {
    if (!this.steps.includes(span)) this.steps.push(span)
    if (this.personId) this.tell({ event: 'span', data: { ...span, input: null, output: null, reasoning: null } })
  }

  /** Words of an agent below the one that was asked: its step shows what it said so far. */
  tellSpanText(span: RunSpan, delta: string): void {
    span.output = `${typeof span.output === 'string' ? span.output : ''}${delta}`
    if (this.personId) this.tell({ event: 'span-text', data: { span_id: span.id, delta } })
  }

  /** Every step so far, for whoever looks at a run that is under way. */
  spans(): RunSpan[] {
    return this.steps.map((span) => ({ ...span }))
  }

  /** Waits for the person's word on a tool call. */
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

  /** Returns the function that stops following. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }
}

type Whose = { agentId: string; personId: string | null; visitorId: string | null }

/** The runs under way in this process. Those of other processes are seen through their rows. */
export class RunRegistry {
  readonly #runs = new Map<string, LiveRun>()
  readonly #beginning = new Set<Whose>()
  readonly #heldForNothing = new Set<string>()

  /** Counts a run that is about to begin, so that many asked for at once do not all see room. Returns the function that ends that. */
  announce(whose: Whose): () => void {
    const announced = { ...whose }
    this.#beginning.add(announced)
    return () => this.#beginning.delete(announced)
  }

  /** Notes a run that did not begin and whose reservation could not be given back. */
  holdForNothing(runId: string): void {
    this.#heldForNothing.add(runId)
  }

  /** Gives back by `giveBack` what such runs hold; those for which that fails stay for the next time. */
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

  /** Runs under way and about to begin. */
  countFor(who: Pick<Whose, 'personId' | 'visitorId'>): number {
    let count = 0
    for (const run of [...this.#runs.values(), ...this.#beginning]) {
      if (who.personId ? run.personId === who.personId : run.visitorId === who.visitorId) count++
    }
    return count
  }

  /** Visitors' runs of an agent, under way and about to begin. */
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
