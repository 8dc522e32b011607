import { agents } from '#contract/agents/agents.ts'
import { intent } from '#contract/agents/intent.ts'
import { type RunEvent, type RunOverrides, runs } from '#contract/agents/runs.ts'
import { ApiError, NetworkError, stream as streamCall } from '#web/api/api.ts'

export type FollowedEvent = RunEvent | { event: 'lost' }
/** How a run starts: an agent run, an intent, an existing run (after a delay), or any other streaming call. */
export type RunStart = RunRequest | { intent: string } | { runId: string; delayMs?: number } | { streamRun: StreamRun }
export type StreamRun = (signal: AbortSignal, handleEvent: (event: string, data: unknown) => void) => Promise<void>

export interface RunRequest {
  agentId: string
  input: string
  sessionId?: string | null
  regenerateOf?: string
  editOf?: string | undefined
  overrides?: RunOverrides | undefined
  asOf?: string | null
}

export interface FollowOptions {
  signal: AbortSignal
  stream?: typeof streamCall
  wait?: (milliseconds: number) => Promise<void>
}

const retryDelaysMs = [300, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000]
/** Retries after a successful reconnect restart here, since each connection may have lasted minutes. */
const reconnectDelaysMs = retryDelaysMs.slice(1)

/** After a broken connection, resumes with `lost` and a `snapshot`. Rejects only if the run never started. */
export async function followRun(
  runStart: RunStart,
  onEvent: (event: FollowedEvent) => void,
  { signal, stream = streamCall, wait = sleep }: FollowOptions,
): Promise<void> {
  let runId = 'runId' in runStart ? runStart.runId : undefined
  let isFinished = false
  let isResumed = false
  const handleEvent = (event: string, data: unknown) => {
    if (isFinished || signal.aborted) return
    const runEvent = { event, data } as RunEvent
    if (runEvent.event === 'start' || runEvent.event === 'snapshot') runId = runEvent.data.run_id
    isResumed ||= runEvent.event === 'snapshot'
    isFinished = runEvent.event === 'done' || runEvent.event === 'error'
    onEvent(runEvent)
  }

  if (!('runId' in runStart)) {
    try {
      if ('intent' in runStart) await stream(intent.ask, { body: { input: runStart.intent }, signal }, handleEvent)
      else if ('streamRun' in runStart) await runStart.streamRun(signal, handleEvent)
      else await stream(agents.run, { body: runStart, signal }, handleEvent)
    } catch (reason) {
      if (signal.aborted || !runId) throw reason
    }
    if (isFinished) return
    if (!runId) throw new NetworkError('The connection closed before the agent started to answer.')
    onEvent({ event: 'lost' })
  }

  let requestedDelayMs = 0
  let plannedDelaysMs = 'runId' in runStart ? [runStart.delayMs ?? 0, ...retryDelaysMs] : retryDelaysMs
  while (plannedDelaysMs.length > 0) {
    const [plannedDelayMs = 0, ...laterDelaysMs] = plannedDelaysMs
    plannedDelaysMs = laterDelaysMs
    const delayMs = Math.max(plannedDelayMs, requestedDelayMs)
    if (delayMs > 0) await wait(delayMs)
    if (signal.aborted) return
    requestedDelayMs = 0
    isResumed = false
    try {
      await stream(runs.stream, { params: { runId: runId as string }, signal }, handleEvent)
    } catch (reason) {
      if (signal.aborted) return
      const apiError = reason instanceof ApiError ? reason : undefined
      // 429 means too many streams; one may free up, as on a busy server.
      if (apiError && apiError.status < 500 && apiError.status !== 429)
        return onEvent(createErrorEvent(runId as string, apiError))
      requestedDelayMs = (apiError?.retryAfterSeconds ?? 0) * 1000
    }
    if (isFinished) return
    if (isResumed) plannedDelaysMs = reconnectDelaysMs
    onEvent({ event: 'lost' })
  }
  onEvent(createErrorEvent(runId as string, new NetworkError('The connection was lost and couldn’t be restored.')))
}

function createErrorEvent(runId: string, reason: Error): RunEvent {
  const code = (reason instanceof ApiError && reason.code) || 'interrupted'
  return { event: 'error', data: { code, message: reason.message, run_id: runId, processing_time_ms: 0, response: '' } }
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
