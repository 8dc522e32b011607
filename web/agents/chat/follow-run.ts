import { agents } from '#contract/agents/agents.ts'
import { intent } from '#contract/agents/intent.ts'
import { type RunEvent, type RunOverrides, runs } from '#contract/agents/runs.ts'
import { ApiError, stream as streamCall, Unreachable } from '#web/api.ts'

export type FollowedEvent = RunEvent | { event: 'lost' }
/** How a run starts: an agent run, an intent, an existing run (after a delay), or any other streaming call. */
export type RunBeginning = RunAsked | { intent: string } | { runId: string; restMs?: number } | { ask: AskForRun }
export type AskForRun = (signal: AbortSignal, hear: (event: string, data: unknown) => void) => Promise<void>

export interface RunAsked {
  agentId: string
  input: string
  sessionId?: string | null
  regenerateOf?: string
  editOf?: string | undefined
  overrides?: RunOverrides | undefined
}

export interface FollowOptions {
  signal: AbortSignal
  stream?: typeof streamCall
  wait?: (milliseconds: number) => Promise<void>
}

const pauses = [300, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000]
/** Retries after a successful reconnect restart here, since each connection may have lasted minutes. */
const pausesAnew = pauses.slice(1)

/**
 * Starts or resumes a run and reports its events up to one terminal event. After a broken connection it resumes with
 * `lost` and a `snapshot`. Rejects only if the run never started.
 */
export async function followRun(
  beginning: RunBeginning,
  tell: (event: FollowedEvent) => void,
  { signal, stream = streamCall, wait = pause }: FollowOptions,
): Promise<void> {
  let runId = 'runId' in beginning ? beginning.runId : undefined
  let ended = false
  let found = false
  const hear = (event: string, data: unknown) => {
    if (ended || signal.aborted) return
    const heard = { event, data } as RunEvent
    if (heard.event === 'start' || heard.event === 'snapshot') runId = heard.data.run_id
    found ||= heard.event === 'snapshot'
    ended = heard.event === 'done' || heard.event === 'error'
    tell(heard)
  }

  if (!('runId' in beginning)) {
    try {
      if ('intent' in beginning) await stream(intent.ask, { body: { input: beginning.intent }, signal }, hear)
      else if ('ask' in beginning) await beginning.ask(signal, hear)
      else await stream(agents.run, { body: beginning, signal }, hear)
    } catch (reason) {
      if (signal.aborted || !runId) throw reason
    }
    if (ended) return
    if (!runId) throw new Unreachable('The connection closed before the agent started to answer.')
    tell({ event: 'lost' })
  }

  let wanted = 0
  let planned = 'runId' in beginning ? [beginning.restMs ?? 0, ...pauses] : pauses
  for (let next = planned[0]; next !== undefined; next = planned[0]) {
    planned = planned.slice(1)
    const milliseconds = Math.max(next, wanted)
    if (milliseconds > 0) await wait(milliseconds)
    if (signal.aborted) return
    wanted = 0
    found = false
    try {
      await stream(runs.stream, { params: { runId: runId as string }, signal }, hear)
    } catch (reason) {
      if (signal.aborted) return
      const refusal = reason instanceof ApiError ? reason : undefined
      // 429 means too many streams; one may free up, as on a busy server.
      if (refusal && refusal.status < 500 && refusal.status !== 429) return tell(ending(runId as string, refusal))
      wanted = (refusal?.retryAfterSeconds ?? 0) * 1000
    }
    if (ended) return
    if (found) planned = pausesAnew
    tell({ event: 'lost' })
  }
  tell(ending(runId as string, new Unreachable('The connection was lost and couldn’t be restored.')))
}

function ending(runId: string, reason: Error): RunEvent {
  const code = (reason instanceof ApiError && reason.code) || 'interrupted'
  return { event: 'error', data: { code, message: reason.message, run_id: runId, processing_time_ms: 0, response: '' } }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
