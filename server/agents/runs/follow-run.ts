import type { RunEvent, RunOutput, RunResult, RunSource, RunStatus } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { watchSession } from '#server/accounts/sessions.ts'
import { createEventStream, type EventSink } from '#server/http/event-stream.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { StreamSlot } from '#server/http/stream-slots.ts'
import type { Services } from '#server/services.ts'
import { toDollars } from '#server/values/dollars.ts'
import type { AgentRow } from '../agent-view.ts'
import { toTerminalEvent } from './execute/run-context.ts'
import type { LiveRun } from './execute/run-registry.ts'
import type { Runner } from './execute/runner.ts'
import { type RunParams, startRun } from './start-run.ts'

const pollIntervalMs = 300
const stopPollIntervalMs = 50
const maxStopWaitMs = 3000

type StreamingRunner = Runner & { address: string }

/** @throws Problem `too-many` or `streams-full` before anything is written, otherwise like `startRun` */
export async function startAndStream(
  services: Services,
  runner: StreamingRunner,
  agent: AgentRow,
  params: Omit<RunParams, 'stream'>,
): Promise<Response> {
  const slot = services.streams.acquire('answers', runner)
  try {
    const run = await startRun(services, runner, agent, { ...params, stream: true })
    return streamRun(services, runner, run, slot)
  } catch (error) {
    slot.release()
    throw error
  }
}

function streamRun(services: Services, runner: Runner, run: LiveRun, slot: StreamSlot): Response {
  return createEventStream(slot, (sink) => {
    const stopWatching = watchSession(services, runner.person, () => sink.end())
    sink.send('start', { run_id: run.id, session_id: run.sessionId })
    if (run.response) sink.send('text', { delta: run.response })
    for (const tool of run.tools) sink.send('tool', tool)
    for (const source of run.sources) sink.send('source', source)
    return combineCleanups(stopWatching, follow(run, sink))
  })
}

const combineCleanups = (first: () => void, second: () => void) => () => {
  first()
  second()
}

function follow(run: LiveRun, sink: EventSink): () => void {
  // Visitors don't see the trace.
  for (const span of run.personId ? run.spans : []) {
    // Memory texts are omitted, because a long run's could exceed the stream's limit; clients fetch them separately.
    const memory = span.memory.map((item) => ({ ...item, text: '' }))
    sink.send('span', { ...span, input: null, output: null, memory })
    if (span.ended_ms === null && typeof span.output === 'string')
      sink.send('span-text', { span_id: span.id, delta: span.output })
  }
  const forward = ({ event, data }: RunEvent) => {
    sink.send(event, data)
    if (event === 'done' || event === 'error') sink.end()
  }
  if (run.terminalEvent) {
    forward(run.terminalEvent)
    return () => undefined
  }
  return run.follow(forward)
}

/** The runner's own run; anyone else's looks like an unknown id. */
export async function requireRun(services: Services, runner: Runner, runId: string) {
  const row = await services.db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', runId)
    .where(runner.person ? 'person_id' : 'visitor_id', '=', runner.person?.id ?? runner.visitor?.id ?? '')
    .executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Run not found' })
  return row
}

export async function requestStop(services: Services, runId: string): Promise<void> {
  await services.db
    .updateTable('runs')
    .set({ stop_requested: true })
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .execute()
  const run = services.runs.find(runId)
  run?.abortController.abort('stopped')
  if (!run) services.bus.send({ kind: 'run-asked-for', runId })
}

export async function waitForFinalStatus(services: Services, runner: Runner, runId: string): Promise<RunStatus> {
  await services.runs.find(runId)?.finished
  for (let waitedMs = 0; ; waitedMs += stopPollIntervalMs) {
    const { status } = await requireRun(services, runner, runId)
    const canRunInOtherProcess = services.bus.isOpen
    if (status !== 'running' || waitedMs >= maxStopWaitMs || !canRunInOtherProcess) return status
    await new Promise((resolve) => setTimeout(resolve, stopPollIntervalMs))
  }
}

export async function resumeRun(services: Services, runner: StreamingRunner, runId: string): Promise<Response> {
  const row = await requireRun(services, runner, runId)
  const run = services.runs.find(runId)
  const slot = services.streams.acquire('answers', runner)
  return createEventStream(slot, (sink) => {
    const stopWatching = watchSession(services, runner.person, () => sink.end())
    const sendSnapshot = (response: string, tools: ToolCall[], sources: RunSource[]) => {
      sink.send('snapshot', { run_id: row.id, session_id: row.session_id, response, tools })
      for (const source of sources) sink.send('source', source)
    }
    if (run) {
      sendSnapshot(run.response, run.tools, run.sources)
      return combineCleanups(stopWatching, follow(run, sink))
    }
    sendSnapshot(row.response, row.tools ?? [], row.sources ?? [])
    if (row.status !== 'running') {
      sendOutcome(sink, row)
      return stopWatching
    }
    let sentLength = row.response.length
    let previous = row
    let hasClosed = false
    // One poll at a time, because concurrent ones could report an older row last.
    let isPolling = false
    const poll = setInterval(async () => {
      if (isPolling) return
      isPolling = true
      try {
        // The process that executes the run saves its progress now.
        services.bus.send({ kind: 'run-asked-for', runId })
        const current = await requireRun(services, runner, runId)
        if (current.response.length > sentLength) sink.send('text', { delta: current.response.slice(sentLength) })
        sentLength = Math.max(sentLength, current.response.length)
        sendChanges(sink, previous, current)
        previous = current
        if (current.status !== 'running') sendOutcome(sink, current)
      } catch (error) {
        if (!hasClosed) services.log.error({ err: error, runId }, 'could not follow a run of another process')
        sink.end()
      } finally {
        isPolling = false
      }
    }, pollIntervalMs)
    return combineCleanups(stopWatching, () => {
      hasClosed = true
      clearInterval(poll)
    })
  })
}

function sendChanges(sink: EventSink, previous: RunRow, current: RunRow): void {
  const previousTools = new Map((previous.tools ?? []).map((tool) => [tool.id, JSON.stringify(tool)]))
  for (const tool of current.tools ?? [])
    if (previousTools.get(tool.id) !== JSON.stringify(tool)) sink.send('tool', tool)
  const previousSources = new Set((previous.sources ?? []).map((source) => JSON.stringify(source)))
  for (const source of current.sources ?? [])
    if (!previousSources.has(JSON.stringify(source))) sink.send('source', source)
}

type RunRow = Awaited<ReturnType<typeof requireRun>>

function sendOutcome(sink: EventSink, row: RunRow): void {
  const usage = toRunUsage(row)
  sink.send('usage', usage)
  const { event, data } = toTerminalEvent({ ...row, output: row.output as RunOutput | null, usage })
  sink.send(event, data)
  sink.end()
}

export function toRunUsage(
  row: Pick<RunRow, 'input_tokens' | 'output_tokens' | 'cost_micros' | 'usage_estimated'>,
): RunResult['usage'] {
  return {
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cost_usd: toDollars(row.cost_micros),
    estimated: row.usage_estimated,
  }
}

const problemCodeByFailure: Record<string, ProblemCode> = {
  'agent-not-ready': 'agent-not-ready',
  'provider-missing': 'conflict',
  'provider-timeout': 'provider-timeout',
  'context-too-long': 'context-too-long',
  'content-filter': 'content-filter',
  stopped: 'conflict',
  'over-budget': 'over-budget',
  'voice-missing': 'conflict',
  'storage-full': 'storage-full',
  'not-stored': 'database-busy',
}

export async function waitForReply(run: LiveRun): Promise<Reply<RunResult>> {
  await run.finished
  const terminalEvent = run.terminalEvent
  if (terminalEvent?.event === 'done') {
    const { response, run_id, session_id, output, mock_mode, model, usage, processing_time_ms } = terminalEvent.data
    return new Reply(
      { response, session_id, run_id, output, mock_mode, model, usage },
      { extra: { processing_time_ms } },
    )
  }
  if (terminalEvent?.event !== 'error') throw new Error('a run ended without a terminal event')
  const { code, message, run_id, processing_time_ms, response } = terminalEvent.data
  throw new Problem(problemCodeByFailure[code] ?? 'provider-failed', {
    message,
    code,
    data: { run_id, session_id: run.sessionId, response },
    extra: { processing_time_ms },
    ...(run.retryAfterSeconds !== undefined && { retryAfterSeconds: run.retryAfterSeconds }),
  })
}
