import { json } from '#server/db/database.ts'
import type { ModelEvent } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { Outcome, RunPlan } from './run-plan.ts'

interface Step {
  kind: 'model' | 'wait'
  name: string
  startedMs: number
  endedMs: number | null
  failure: string | null
}

/** What happened inside a run, in order: each request to the provider and each wait between two of them. */
export class RunTrace {
  attempts = 0
  readonly remarks: string[] = []
  readonly #services: Services
  readonly #plan: RunPlan
  readonly #steps: Step[] = []

  constructor(services: Services, plan: RunPlan) {
    this.#services = services
    this.#plan = plan
    if (plan.agent.tools.length > 0 || plan.agent.agent_class === 'Coordinator') {
      this.remark('This run used the model alone: tools and bundled agents were not called.')
    }
  }

  note(event: ModelEvent): void {
    const now = this.#elapsed()
    if (event.type === 'attempt') {
      this.attempts = event.number
      this.#close(now, null)
      this.#steps.push({ kind: 'model', name: this.#plan.settings.model, startedMs: now, endedMs: null, failure: null })
    } else if (event.type === 'retry') {
      this.#close(now, event.failure.code)
      this.#steps.push({ kind: 'wait', name: 'wait before retry', startedMs: now, endedMs: null, failure: null })
    } else if (event.type === 'note') this.remark(event.text)
    else if (event.type === 'finish') this.#close(now, null)
  }

  remark(text: string): void {
    this.remarks.push(text)
  }

  fail(code: string): void {
    this.#close(this.#elapsed(), code)
  }

  /** The rows of the trace: the agent at the root, its steps below. */
  spans(runId: string, elapsed: number, outcome: Outcome) {
    const { agent, settings, system, messages } = this.#plan
    const root = this.#services.newId()
    const last = this.#steps.findLastIndex((step) => step.kind === 'model')
    return [
      {
        id: root,
        run_id: runId,
        parent_id: null,
        position: 0,
        kind: agent.agent_class === 'Coordinator' ? ('coordinator' as const) : ('agent' as const),
        name: agent.name,
        started_ms: 0,
        ended_ms: elapsed,
        failure: outcome.errorCode,
        input: json<unknown>(messages.at(-1)?.content ?? ''),
        output: json<unknown>(outcome.response),
        usage: json(outcome.usage),
        agent_slug: agent.slug,
        provider: null,
        model: null,
        memory: null,
      },
      ...this.#steps.map((step, index) => ({
        id: this.#services.newId(),
        run_id: runId,
        parent_id: root,
        position: index + 1,
        kind: step.kind,
        name: step.name,
        started_ms: step.startedMs,
        ended_ms: step.endedMs,
        failure: step.failure,
        input: json<unknown>(step.kind === 'model' ? { system, messages, settings } : null),
        output: json<unknown>(index === last ? outcome.response : null),
        usage: json(index === last ? outcome.usage : null),
        agent_slug: null,
        provider: step.kind === 'model' ? agent.model_provider : null,
        model: step.kind === 'model' ? settings.model : null,
        memory: null,
      })),
    ]
  }

  #elapsed(): number {
    return Math.max(0, this.#services.now().getTime() - this.#plan.startedAt)
  }

  #close(now: number, failure: string | null): void {
    const open = this.#steps.findLast((step) => step.endedMs === null)
    if (!open) return
    open.endedMs = now
    open.failure = failure
  }
}
