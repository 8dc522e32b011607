import type { RunOutput, RunSource, RunSpan, RunStatus, Usage } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import type { FollowedEvent } from '../chat/follow-run.ts'

export interface RunView {
  status: RunStatus
  text: string
  runId: string | undefined
  mock: boolean
  model: string | undefined
  usage: Usage | undefined
  /** In the order they were called. */
  tools: ToolCall[]
  /** What the answer can be traced to, by their numbers. */
  sources: RunSource[]
  /** Those told so far; without their input and output. */
  spans: RunSpan[]
  /** What agents below the one that was asked said so far, by the ids of their steps. */
  said: Readonly<Record<string, string>>
  /** Once it is over. */
  output: RunOutput | undefined
  /** When this page began to look, and how long the run took once it is over. */
  since: number
  ms: number | undefined
  /** Why it failed, or could not be stopped. */
  reason: string | undefined
  reconnecting: boolean
  stopping: boolean
  /** The server was out of reach: this answer was made in the browser. */
  offline?: true
}

export const begun = (runId?: string): RunView => ({
  status: 'running',
  text: '',
  runId,
  mock: false,
  model: undefined,
  usage: undefined,
  tools: [],
  sources: [],
  spans: [],
  said: {},
  output: undefined,
  since: Date.now(),
  ms: undefined,
  reason: undefined,
  reconnecting: false,
  stopping: false,
})

/** The same run, followed once more: what was heard of it stays in sight until it is found. */
export const takenUp = (view: RunView): RunView => ({
  ...view,
  status: 'running',
  ms: undefined,
  reason: undefined,
  reconnecting: true,
  stopping: false,
})

/** What is known of a run once this was told. */
export function afterEvent(view: RunView, event: FollowedEvent): RunView {
  switch (event.event) {
    case 'lost':
      return { ...view, reconnecting: true }
    case 'start':
      return { ...view, runId: event.data.run_id }
    case 'snapshot':
      return {
        ...view,
        runId: event.data.run_id,
        text: event.data.response,
        tools: event.data.tools,
        said: {},
        reconnecting: false,
      }
    case 'text':
      return { ...view, text: view.text + event.data.delta, reconnecting: false }
    case 'tool':
      return { ...view, tools: put(view.tools, event.data) }
    case 'source':
      return { ...view, sources: withSource(view.sources, event.data) }
    case 'span':
      return { ...view, spans: put(view.spans, event.data) }
    case 'span-text': {
      const { span_id, delta } = event.data
      return { ...view, said: { ...view.said, [span_id]: (view.said[span_id] ?? '') + delta } }
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
      const status = code === 'stopped' ? 'stopped' : code === 'interrupted' ? 'interrupted' : 'error'
      const ms = processing_time_ms || undefined
      return { ...view, status, text: response || view.text, reason: message, ms, reconnecting: false }
    }
    default:
      return view
  }
}

/** The server is out of reach, so that the run never began: what stands in for its answer. */
export function standingIn(view: RunView, text: string): RunView {
  const ms = Math.max(0, Date.now() - view.since)
  return { ...view, status: 'success', text, output: { type: 'text', text }, mock: true, ms, offline: true }
}

/** In the place of the one with the same id, else at the end. */
export function put<Item extends { id: string }>(items: Item[], item: Item): Item[] {
  return items.some(({ id }) => id === item.id)
    ? items.map((known) => (known.id === item.id ? item : known))
    : [...items, item]
}

export function withSource(sources: RunSource[], source: RunSource): RunSource[] {
  return [...sources.filter(({ n }) => n !== source.n), source].sort((a, b) => a.n - b.n)
}
