import type { Provider } from '#contract/agents/model-settings.ts'
import type { MemoryItem, RunSpan, SpanKind, Usage } from '#contract/agents/runs.ts'
import { sumUsage } from '#contract/agents/sum-usage.ts'
import { json, prepareInsert, type Write } from '#server/db/database.ts'
import type { ModelEvent } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../../agent-view.ts'
import { getMsBetween, type RunPlan } from './run-context.ts'
import type { LiveRun } from './run-registry.ts'

interface SpanStart {
  kind: SpanKind
  name: string
  input?: unknown
  agentSlug?: string
  provider?: Provider
  model?: string
  memory?: MemoryItem[]
  startedMs?: number
}

interface SpanEnd {
  failure?: string | null
  output?: unknown
  usage?: Usage
  memory?: MemoryItem[]
}

const maxReasoningLength = 100_000
const insertSpan = prepareInsert('run_spans')

export class RunTrace {
  attempts = 0
  turnCount = 0
  readonly notes: string[] = []
  readonly rootSpan: RunSpan
  readonly #services: Services
  readonly #run: LiveRun
  readonly #plan: RunPlan
  #directAnswerRequest: RequestSpans | undefined

  constructor(services: Services, run: LiveRun, plan: RunPlan) {
    this.#services = services
    this.#run = run
    this.#plan = plan
    for (const note of plan.notes) this.addNote(note)
    const input = plan.messages.at(-1)?.content ?? ''
    this.rootSpan = this.startSpan(null, { ...toAgentSpan(plan.agent), input, startedMs: 0 })
  }

  startSpan(parent: RunSpan | null, { kind, name, input = null, memory = [], ...options }: SpanStart): RunSpan {
    const span: RunSpan = {
      id: this.#services.newId(),
      parent_id: parent?.id ?? null,
      kind,
      name,
      agent_slug: options.agentSlug ?? null,
      provider: options.provider ?? null,
      model: options.model ?? null,
      started_ms: options.startedMs ?? this.#getElapsedMs(),
      ended_ms: null,
      failure: null,
      input,
      output: null,
      reasoning: null,
      memory,
      usage: null,
    }
    this.#run.publishSpan(span)
    return span
  }

  endSpan(span: RunSpan, { failure = null, output = null, usage, memory }: SpanEnd = {}): void {
    if (span.ended_ms !== null) return
    span.ended_ms = this.#getElapsedMs()
    span.failure = failure
    span.output = output
    if (usage) span.usage = usage
    if (memory) span.memory = memory
    this.#run.publishSpan(span)
  }

  recordContext(parent: RunSpan, context: RunPlan['context'], scope: string): void {
    if (context.traceNote === null) return
    const span = this.startSpan(parent, { kind: 'memory', name: scope, memory: context.memory })
    this.endSpan(span, { output: context.traceNote })
  }

  addNote(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text)
  }

  startRequest(parent: RunSpan, spanStart: Omit<SpanStart, 'kind'>): RequestSpans {
    return new RequestSpans(this, parent, spanStart)
  }

  recordEvent(event: ModelEvent): void {
    const { agent, settings, messages } = this.#plan
    this.#directAnswerRequest ??= this.startRequest(this.rootSpan, {
      name: settings.model,
      provider: agent.model_provider,
      model: settings.model,
      input: { messages, settings },
    })
    this.#directAnswerRequest.recordEvent(event)
  }

  recordUsage(usage: Usage): void {
    const lastModelSpan = this.#run.spans.findLast(({ kind }) => kind === 'model')
    if (lastModelSpan) lastModelSpan.usage = usage
  }

  getUsage(span: RunSpan): Usage {
    const spanIds = new Set<string | null>([span.id])
    const usages: Usage[] = []
    for (const descendant of this.#run.spans) {
      if (!spanIds.has(descendant.parent_id)) continue
      spanIds.add(descendant.id)
      if (descendant.usage && descendant.kind === 'model') usages.push(descendant.usage)
    }
    return sumUsage(usages)
  }

  close({ errorCode, response, usage }: { errorCode: string | null; response: string; usage: Usage }): void {
    for (const span of this.#run.spans.toReversed()) {
      if (span !== this.rootSpan) this.endSpan(span, { failure: errorCode })
    }
    this.endSpan(this.rootSpan, { failure: errorCode, output: response, usage })
  }

  buildWrites(): Write[] {
    const { db } = this.#services
    return this.#run.spans.map(({ input, output, usage, memory, ...span }, position) =>
      insertSpan.bind(db, {
        ...span,
        run_id: this.#run.id,
        position,
        input: json<unknown>(input),
        output: json<unknown>(output),
        usage: json<Usage | null>(usage),
        memory: memory.length > 0 ? json(memory) : null,
      }),
    )
  }

  #getElapsedMs(): number {
    return getMsBetween(this.#plan.startedAt, this.#services.now().getTime())
  }
}

export class RequestSpans {
  readonly #trace: RunTrace
  readonly #parent: RunSpan
  readonly #spanStart: Omit<SpanStart, 'kind'>
  #openSpan: RunSpan | undefined
  #lastAttempt: RunSpan | undefined

  constructor(trace: RunTrace, parent: RunSpan, spanStart: Omit<SpanStart, 'kind'>) {
    this.#trace = trace
    this.#parent = parent
    this.#spanStart = spanStart
  }

  recordEvent(event: ModelEvent): void {
    if (event.type === 'attempt') {
      this.#trace.attempts += 1
      this.startAttempt()
    } else if (event.type === 'retry') {
      this.end({ failure: event.failure.code })
      this.#openSpan = this.#trace.startSpan(this.#parent, { kind: 'wait', name: 'wait before retry' })
    } else if (event.type === 'note') this.#trace.addNote(event.text)
    else if (event.type === 'reasoning') this.#addReasoning(event.delta)
    else if (event.type === 'finish') this.end()
  }

  startAttempt(): void {
    this.end()
    this.#openSpan = this.#trace.startSpan(this.#parent, { ...this.#spanStart, kind: 'model' })
    this.#lastAttempt = this.#openSpan
  }

  #addReasoning(delta: string): void {
    const previous = this.#openSpan?.reasoning ?? ''
    if (this.#openSpan && previous.length < maxReasoningLength)
      this.#openSpan.reasoning = (previous + delta).slice(0, maxReasoningLength)
  }

  end({ usage, ...spanEnd }: SpanEnd = {}): void {
    if (usage && this.#lastAttempt) this.#lastAttempt.usage = usage
    if (this.#openSpan) this.#trace.endSpan(this.#openSpan, spanEnd)
    this.#openSpan = undefined
  }
}

export function toAgentSpan(agent: AgentRow): Pick<SpanStart, 'kind' | 'name' | 'agentSlug'> {
  const kind = agent.agent_class === 'Coordinator' ? 'coordinator' : 'agent'
  return { kind, name: agent.name, agentSlug: agent.slug }
}
