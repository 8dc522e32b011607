import type { RunEvent, RunSource, RunSpan } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import type { Services } from '#server/services.ts'

type Follower = (event: RunEvent) => void
export type PermissionAnswer = 'yes' | 'no' | 'late' | 'stopped'

export class LiveRun {
  readonly id: string
  readonly agentId: string
  readonly sessionId: string | null
  readonly personId: string | null
  readonly visitorId: string | null
  readonly abortController = new AbortController()
  readonly finished: Promise<void>
  response = ''
  answeredBy: { provider: string; model: string } | undefined
  terminalEvent: RunEvent | undefined
  retryAfterSeconds: number | undefined
  isResponseDirty = true
  readonly tools: ToolCall[] = []
  readonly sources: RunSource[] = []
  areToolsDirty = false
  /** Parents before their children. */
  readonly spans: RunSpan[] = []
  /** Tool calls waiting for permission, with their deadline (epoch milliseconds). */
  readonly permissionRequests = new Map<string, { deadline: number; answer(permission: PermissionAnswer): void }>()
  readonly #followers = new Set<Follower>()
  readonly #finish: () => void

  constructor(params: RunOwner & { id: string; sessionId: string | null }) {
    this.id = params.id
    this.agentId = params.agentId
    this.sessionId = params.sessionId
    this.personId = params.personId
    this.visitorId = params.visitorId
    const { promise, resolve } = Promise.withResolvers<void>()
    this.finished = promise
    this.#finish = resolve
  }

  append(delta: string): void {
    this.response += delta
    this.isResponseDirty = true
    this.publish({ event: 'text', data: { delta } })
  }

  /** Reasoning often quotes the purpose, which visitors don't see. */
  publishReasoning(delta: string): void {
    if (this.personId) this.publish({ event: 'reasoning', data: { delta } })
  }

  publishTool(call: ToolCall): void {
    const index = this.tools.findIndex(({ id }) => id === call.id)
    if (index < 0) this.tools.push(call)
    else this.tools[index] = call
    this.areToolsDirty = true
    this.publish({ event: 'tool', data: call })
  }

  addSource(input: Omit<RunSource, 'n'>): number {
    const existing = this.sources.find(({ entity, id }) => entity === input.entity && id === input.id)
    if (existing) return existing.n
    const source = { ...input, n: this.sources.length + 1 }
    this.sources.push(source)
    this.areToolsDirty = true
    this.publish({ event: 'source', data: source })
    return source.n
  }

  /** Publishes only sources that changed. */
  replaceSources(sources: readonly RunSource[]): void {
    const previous = new Set(this.sources.map((source) => JSON.stringify(source)))
    this.sources.splice(0, this.sources.length, ...sources)
    this.areToolsDirty = true
    for (const source of sources)
      if (!previous.has(JSON.stringify(source))) this.publish({ event: 'source', data: source })
  }

  /** Visitors don't see how an agent works. */
  publishSpan(span: RunSpan): void {
    if (!this.spans.includes(span)) this.spans.push(span)
    if (this.personId) this.publish({ event: 'span', data: { ...span, input: null, output: null, reasoning: null } })
  }

  publishSpanText(span: RunSpan, delta: string): void {
    span.output = `${typeof span.output === 'string' ? span.output : ''}${delta}`
    if (this.personId) this.publish({ event: 'span-text', data: { span_id: span.id, delta } })
  }

  copySpans(): RunSpan[] {
    return this.spans.map((span) => ({ ...span }))
  }

  waitForPermission(callId: string, deadline: number): Promise<PermissionAnswer> {
    return new Promise((resolve) => {
      const onAbort = () => answer('stopped')
      const answer = (permission: PermissionAnswer) => {
        this.permissionRequests.delete(callId)
        this.abortController.signal.removeEventListener('abort', onAbort)
        resolve(permission)
      }
      this.permissionRequests.set(callId, { deadline, answer })
      this.abortController.signal.addEventListener('abort', onAbort)
      if (this.abortController.signal.aborted) onAbort()
    })
  }

  publish(event: RunEvent): void {
    for (const follower of this.#followers) follower(event)
  }

  end(event: RunEvent): void {
    this.terminalEvent = event
    this.publish(event)
    this.#followers.clear()
    this.#finish()
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }
}

type RunOwner = { agentId: string; personId: string | null; visitorId: string | null }

export class RunRegistry {
  readonly #runs = new Map<string, LiveRun>()
  readonly #reservedOwners = new Set<RunOwner>()
  readonly #unreleasedRunIds = new Set<string>()

  /** Counts a run before it starts, so that concurrent starts respect the limit. Returns the function that undoes it. */
  reserve(owner: RunOwner): () => void {
    const reserved = { ...owner }
    this.#reservedOwners.add(reserved)
    return () => this.#reservedOwners.delete(reserved)
  }

  markUnreleased(runId: string): void {
    this.#unreleasedRunIds.add(runId)
  }

  async releaseMarked(release: (runId: string) => Promise<void>): Promise<void> {
    for (const runId of this.#unreleasedRunIds) {
      await release(runId)
      this.#unreleasedRunIds.delete(runId)
    }
  }

  add(run: LiveRun): void {
    this.#runs.set(run.id, run)
    void run.finished.then(() => this.#runs.delete(run.id))
  }

  find(runId: string): LiveRun | undefined {
    return this.#runs.get(runId)
  }

  list(): LiveRun[] {
    return [...this.#runs.values()]
  }

  countFor({ personId, visitorId }: Pick<RunOwner, 'personId' | 'visitorId'>): number {
    return this.#count((run) => (personId ? run.personId === personId : run.visitorId === visitorId))
  }

  countVisitorRuns(agentId: string): number {
    return this.#count((run) => run.visitorId !== null && run.agentId === agentId)
  }

  #count(matches: (owner: RunOwner) => boolean): number {
    return [...this.#runs.values(), ...this.#reservedOwners].filter(matches).length
  }

  get size(): number {
    return this.#runs.size
  }
}

/** Counts runs in other server processes: runs of this person or visitor, and of all the agent's visitors. */
export async function countRemoteRuns(
  services: Services,
  { agentId, personId, visitorId }: Pick<LiveRun, 'agentId' | 'personId' | 'visitorId'>,
): Promise<{ byRunner: number; byVisitors: number }> {
  if (!services.bus.isOpen) return { byRunner: 0, byVisitors: 0 }
  const rows = await services.db
    .selectFrom('runs')
    .select(['id', 'person_id', 'visitor_id'])
    .where('status', '=', 'running')
    .where('lease_until', '>', services.now().getTime())
    .where((where) =>
      personId
        ? where('person_id', '=', personId)
        : where.or([
            where('visitor_id', '=', visitorId),
            where.and([where('agent_id', '=', agentId), where('visitor_id', 'is not', null)]),
          ]),
    )
    .execute()
  const remoteRuns = rows.filter(({ id }) => !services.runs.find(id))
  return {
    byRunner: personId ? remoteRuns.length : remoteRuns.filter((row) => row.visitor_id === visitorId).length,
    byVisitors: remoteRuns.filter((row) => row.visitor_id !== null).length,
  }
}
