import type { RunOutput, RunSource, RunSpan, RunStatus, Usage } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import type { FollowedEvent } from './follow-run.ts'

export interface RunView {
  status: RunStatus
  text: string
  /** The model's reasoning as received by this page; not stored. */
  reasoning: string
  runId: string | undefined
  sessionId: string | undefined
  mock: boolean
  model: string | undefined
  usage: Usage | undefined
  tools: ToolCall[]
  sources: RunSource[]
  /** Live spans, without input and output. */
  spans: RunSpan[]
  /** Text of called agents by span id. */
  spanTexts: Readonly<Record<string, string>>
  output: RunOutput | undefined
  /** Client time at which following started (ms). */
  startedAt: number
  ms: number | undefined
  /** Why the run failed. */
  reason: string | undefined
  failureCode: string | undefined
  /** Why the run never started. */
  refusal: unknown
  reconnecting: boolean
  stopping: boolean
  /** Why the run couldn't be stopped. */
  stopProblem: string | undefined
  offline?: true
}

export const createRunView = (runId?: string): RunView => ({
  status: 'running',
  text: '',
  reasoning: '',
  runId,
  sessionId: undefined,
  mock: false,
  model: undefined,
  usage: undefined,
  tools: [],
  sources: [],
  spans: [],
  spanTexts: {},
  output: undefined,
  startedAt: Date.now(),
  ms: undefined,
  reason: undefined,
  failureCode: undefined,
  refusal: undefined,
  reconnecting: false,
  stopping: false,
  stopProblem: undefined,
})

/** Resumes following; the text so far stays until the snapshot. */
export const resumeRunView = (view: RunView): RunView => ({
  ...view,
  status: 'running',
  ms: undefined,
  reason: undefined,
  failureCode: undefined,
  reconnecting: true,
  stopping: false,
})

export function applyEvent(view: RunView, event: FollowedEvent): RunView {
  switch (event.event) {
    case 'lost':
      return { ...view, reconnecting: true }
    case 'start':
      return { ...view, runId: event.data.run_id, sessionId: event.data.session_id ?? undefined }
    case 'snapshot':
      return {
        ...view,
        runId: event.data.run_id,
        text: event.data.response,
        tools: event.data.tools,
        spanTexts: {},
        reconnecting: false,
      }
    case 'text':
      return { ...view, text: view.text + event.data.delta, reconnecting: false }
    case 'reasoning':
      return { ...view, reasoning: view.reasoning + event.data.delta, reconnecting: false }
    case 'tool':
      return { ...view, tools: upsertById(view.tools, event.data) }
    case 'source':
      return { ...view, sources: addSource(view.sources, event.data) }
    case 'span':
      return { ...view, spans: upsertById(view.spans, event.data) }
    case 'span-text': {
      const { span_id, delta } = event.data
      return { ...view, spanTexts: { ...view.spanTexts, [span_id]: (view.spanTexts[span_id] ?? '') + delta } }
    }
    case 'usage':
      return { ...view, usage: event.data }
    case 'done': {
      const { response, output, mock_mode: mock, model, usage, processing_time_ms: ms } = event.data
      const text = response || view.text
      return { ...view, status: 'success', text, output, mock, model, usage, ms, reconnecting: false }
    }
    case 'error': {
      const { code, message, response, processing_time_ms } = event.data
      const status = code === 'stopped' || code === 'interrupted' ? code : 'error'
      const ms = processing_time_ms || undefined
      const failure = { reason: message, failureCode: code }
      return { ...view, status, text: response || view.text, ...failure, ms, reconnecting: false }
    }
    default:
      return view
  }
}

export function toMockView(view: RunView, text: string): RunView {
  const ms = Math.max(0, Date.now() - view.startedAt)
  return { ...view, status: 'success', text, output: { type: 'text', text }, mock: true, ms, offline: true }
}

export function upsertById<Item extends { id: string }>(items: Item[], item: Item): Item[] {
  return items.some(({ id }) => id === item.id)
    ? items.map((existing) => (existing.id === item.id ? item : existing))
    : [...items, item]
}

export function addSource(sources: RunSource[], source: RunSource): RunSource[] {
  return [...sources.filter(({ n }) => n !== source.n), source].sort((a, b) => a.n - b.n)
}
