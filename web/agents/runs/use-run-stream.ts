import { useCallback, useEffect, useRef, useState } from 'react'
import { type RunOutput, type RunSpan, type RunStatus, runs, type Usage } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { call } from '#web/api.ts'
import { batchText } from '../chat/batch-text.ts'
import { type FollowedEvent, followRun, type RunBeginning } from '../chat/follow-run.ts'
import { reasonText } from './run-agent.ts'

export interface RunView {
  status: RunStatus
  text: string
  runId: string | undefined
  mock: boolean
  model: string | undefined
  usage: Usage | undefined
  /** In the order they were called. */
  tools: ToolCall[]
  /** Those told so far; without their input and output. */
  spans: RunSpan[]
  /** Once it is over. */
  output: RunOutput | undefined
  /** When this page began to look, and how long the run took once it is over. */
  since: number
  ms: number | undefined
  reason: string | undefined
  reconnecting: boolean
  stopping: boolean
}

const begun = (runId?: string): RunView => ({
  status: 'running',
  text: '',
  runId,
  mock: false,
  model: undefined,
  usage: undefined,
  tools: [],
  spans: [],
  output: undefined,
  since: Date.now(),
  ms: undefined,
  reason: undefined,
  reconnecting: false,
  stopping: false,
})

/** A run seen as it happens: begun here, or followed by its id. Leaving the page does not end it. */
export function useRunStream() {
  const [view, setView] = useState<RunView>()
  const leave = useRef<AbortController>(undefined)

  const look = useCallback((beginning: RunBeginning) => {
    leave.current?.abort()
    const controller = new AbortController()
    leave.current = controller
    setView(begun('runId' in beginning ? beginning.runId : undefined))
    const batch = batchText((event) => setView((before) => before && afterEvent(before, event)))
    controller.signal.addEventListener('abort', batch.drop)
    return followRun(beginning, batch.hear, { signal: controller.signal }).catch((reason) => {
      if (controller.signal.aborted) return
      setView((before) => before && { ...before, status: 'error', reason: reasonText(reason) })
    })
  }, [])

  const forget = useCallback(() => {
    leave.current?.abort()
    setView(undefined)
  }, [])

  const runId = view?.runId
  const stop = useCallback(async () => {
    if (!runId) return
    setView((before) => before && { ...before, stopping: true })
    await call(runs.stop, { params: { runId } }).catch(() =>
      setView((before) => before && { ...before, stopping: false }),
    )
  }, [runId])

  useEffect(() => () => leave.current?.abort(), [])
  return { view, look, stop, forget }
}

function afterEvent(view: RunView, event: FollowedEvent): RunView {
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
        reconnecting: false,
      }
    case 'text':
      return { ...view, text: view.text + event.data.delta, reconnecting: false }
    case 'tool':
      return { ...view, tools: put(view.tools, event.data) }
    case 'span':
      return { ...view, spans: put(view.spans, event.data) }
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

/** In the place of the one with the same id, else at the end. */
export function put<Item extends { id: string }>(items: Item[], item: Item): Item[] {
  return items.some(({ id }) => id === item.id)
    ? items.map((known) => (known.id === item.id ? item : known))
    : [...items, item]
}
