import type { Updateable } from 'kysely'
import { apology, emptyAnswer } from '#contract/agents/answer-texts.ts'
import { json, type PreparedParameters, prepareQuery, requireChanges } from '#server/db/database.ts'
import { DiskFull, UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { ModelFailure } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import { toMicros } from '#server/values/dollars.ts'
import { retryWhileBusy } from '../../usage/settlement.ts'
import { answerWithTools } from './answer-with-tools.ts'
import {
  type AgentRunContext,
  getMsBetween,
  interruptedText,
  Ledger,
  type RunContext,
  RunFailure,
  type RunOutcome,
  type RunPlan,
  toTerminalEvent,
} from './run-context.ts'
import type { LiveRun } from './run-registry.ts'
import { RunTrace } from './run-trace.ts'
import { speakAnswer } from './speak-answer.ts'
import { TextBuffer } from './text-buffer.ts'

/** Runs the agent and writes exactly one outcome and terminal event. Never rejects. */
export async function executeRun(services: Services, run: LiveRun, plan: RunPlan): Promise<void> {
  const trace = new RunTrace(services, run, plan)
  const { runner, input, stream, agent: rootAgent } = plan
  const context: RunContext = { services, run, trace, rootAgent, runner, input, stream, ledger: new Ledger(services) }
  let outcome: RunOutcome
  try {
    if (plan.refusal) throw plan.refusal
    const isVoice = plan.agent.model_provider === 'elevenlabs' && plan.key.source !== 'mock'
    outcome = await (isVoice ? speakAnswer : runAgent)(context, plan)
  } catch (error) {
    outcome = toFailedOutcome(context, error)
  }
  outcome = await checkCitations(context, outcome)
  const elapsedMs = getMsBetween(plan.startedAt, services.now().getTime())
  trace.close(outcome)
  try {
    await writeOutcomeWithRetries(context, outcome, elapsedMs)
  } catch (error) {
    context.ledger.write()
    // A later sweep marks the row as interrupted; the reader is notified now.
    services.log.error({ err: error, runId: run.id }, 'the outcome of a run could not be saved')
    const isDiskFull = error instanceof DiskFull
    if (!isDiskFull) run.retryAfterSeconds = 5
    outcome = {
      ...outcome,
      status: 'interrupted',
      errorCode: isDiskFull ? 'storage-full' : 'not-stored',
      error: isDiskFull ? 'The answer couldn’t be saved: the disk is full.' : 'The answer couldn’t be saved.',
    }
  }
  reportRun(context, plan, outcome, elapsedMs)
  run.response = outcome.response
  run.publish({ event: 'usage', data: outcome.usage })
  const { id: runId, sessionId, personId } = run
  run.end(
    toTerminalEvent({
      ...outcome,
      id: runId,
      session_id: sessionId,
      person_id: personId,
      error_code: outcome.errorCode,
      mock_mode: plan.key.source === 'mock',
      model: run.answeredBy?.model ?? plan.settings.model,
      execution_time_ms: elapsedMs,
    }),
  )
  if (personId) services.live.publish(personId, { type: 'run-finished', runId, agentId: plan.agent.id, sessionId })
}

function reportRun({ services, run }: RunContext, plan: RunPlan, outcome: RunOutcome, elapsedMs: number): void {
  const provider = run.answeredBy?.provider ?? plan.agent.model_provider
  services.metrics?.recordRun({
    provider: plan.key.source === 'mock' ? 'mock' : provider,
    outcome: outcome.status,
    seconds: elapsedMs / 1000,
    usage: outcome.usage,
  })
  services.traceExporter?.exportRun({
    id: run.id,
    sessionId: run.sessionId,
    startedAt: plan.startedAt,
    elapsedMs,
    isStreamed: plan.stream,
    steps: run.spans,
  })
}

/** If checking throws, no source has a verified quote, so none is shown as a citation. */
async function checkCitations({ services, run, runner }: RunContext, outcome: RunOutcome): Promise<RunOutcome> {
  if (!runner.person) return outcome
  try {
    const answer = { text: outcome.response, sources: run.sources }
    const { text, sources } = await services.keeperMemory.documents.checkQuotes(services, runner.person.id, answer)
    run.replaceSources(sources)
    const output = outcome.output.type === 'text' ? { type: 'text' as const, text } : outcome.output
    return { ...outcome, response: text, output }
  } catch (error) {
    services.log.error({ err: error, runId: run.id }, 'the quotes of an answer could not be checked')
    return outcome
  }
}

async function runAgent(context: RunContext, plan: RunPlan): Promise<RunOutcome> {
  const { run, trace } = context
  const agentRun: AgentRunContext = {
    ...context,
    ...plan,
    callers: [],
    span: trace.rootSpan,
    tracedSystem: plan.system,
    output: new TextBuffer(),
    onText: (delta) => run.append(delta),
    onReasoning: (delta) => run.publishReasoning(delta),
  }
  trace.recordContext(trace.rootSpan, plan.context, plan.agent.context_scope)
  const finishReason = await answerWithTools(agentRun)
  const isEmpty = run.response.trim() === ''
  const isRefused = finishReason === 'content-filter' || finishReason === 'refusal'
  if (isRefused && isEmpty) throw new RunFailure('content-filter', 'The provider refused to answer this text.')
  if (isRefused) trace.addNote('The provider cut the answer short because of its content rules.')
  if (finishReason === 'length') trace.addNote('The answer reached the max_tokens limit and ends there.')
  if (finishReason === 'length' && isEmpty) {
    const maxTokens = plan.settings.max_tokens?.toLocaleString('en-US') ?? 'its'
    throw new RunFailure(
      'max-tokens',
      `The model spent all ${maxTokens} tokens (max tokens) on thinking and wrote no answer. Raise max tokens in the agent’s form.`,
    )
  }
  if (finishReason === 'other' && isEmpty)
    throw new RunFailure(
      'provider-failed',
      'The provider stopped before the answer began. The run’s notes give the reason.',
    )
  const response = isEmpty ? emptyAnswer : run.response
  const usage = trace.getUsage(trace.rootSpan)
  return { status: 'success', errorCode: null, error: null, response, output: { type: 'text', text: response }, usage }
}

function toFailedOutcome({ services, run, trace }: RunContext, error: unknown): RunOutcome {
  const failure = toExpectedFailure(error)
  if (!failure) services.log.error({ err: error, runId: run.id }, 'a run failed unexpectedly')
  if (error instanceof Problem) run.retryAfterSeconds = error.details.retryAfterSeconds
  const code = failure?.code ?? 'internal'
  const isShutdown = code === 'stopped' && run.abortController.signal.reason === 'shutdown'
  const errorCode = isShutdown ? 'interrupted' : code
  const response = run.response.trim() === '' ? '' : run.response
  return {
    status: errorCode === 'interrupted' || errorCode === 'stopped' ? errorCode : 'error',
    errorCode,
    error: isShutdown ? interruptedText : (failure?.message ?? 'Something failed on the server.'),
    response,
    output: { type: 'text', text: response },
    usage: trace.getUsage(trace.rootSpan),
  }
}

function toExpectedFailure(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof ModelFailure || error instanceof RunFailure) return error
  return error instanceof Problem && error.kind === 'over-budget' ? error : undefined
}

async function writeOutcomeWithRetries(context: RunContext, outcome: RunOutcome, elapsedMs: number): Promise<void> {
  const { services, run } = context
  await retryWhileBusy(services, async (previousAttempts) => {
    try {
      await writeOutcome(context, outcome, elapsedMs)
    } catch (error) {
      // A commit whose response was lost had succeeded.
      const isAlreadyWritten =
        previousAttempts > 0 && error instanceof UnexpectedChanges && (await hasOutcome(services, run, outcome))
      if (!isAlreadyWritten) throw error
      await context.ledger.takeUnsavedWrites()
    }
  })
}

async function hasOutcome({ db }: Services, { id }: LiveRun, { status, response }: RunOutcome): Promise<boolean> {
  const row = await db.selectFrom('runs').select(['status', 'response']).where('id', '=', id).executeTakeFirst()
  return row?.status === status && row.response === response
}

async function writeOutcome(context: RunContext, outcome: RunOutcome, elapsedMs: number): Promise<void> {
  const { services, run, trace, ledger } = context
  const { usage } = outcome
  const now = services.now().getTime()
  const runUpdate = updateRun.bind(services.db, {
    id: run.id,
    // Undefined leaves the column unchanged.
    model: run.answeredBy?.model,
    model_provider: run.answeredBy?.provider,
    status: outcome.status,
    error_code: outcome.errorCode,
    error: outcome.error,
    response: outcome.response,
    output: outcome.status === 'success' ? json(outcome.output) : null,
    attempts: trace.attempts,
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cost_micros: toMicros(usage.cost_usd),
    usage_estimated: usage.estimated,
    notes: json(trace.notes),
    tools: json(run.tools),
    sources: json(run.sources),
    execution_time_ms: elapsedMs,
    lease_until: now,
  })
  const messageUpdate = updateMessage.bind(services.db, { runId: run.id, content: outcome.response || apology })
  // Stored together with the row, so that nothing is stored if a sweep closed the run.
  const ledgerWrites = await ledger.takeUnsavedWrites()
  try {
    await services.db.batch([
      requireChanges(runUpdate),
      ...trace.buildWrites(),
      ...(run.sessionId ? [messageUpdate] : []),
      ...ledgerWrites,
    ])
  } catch (error) {
    ledger.add(ledgerWrites)
    throw error
  }
}

const updateRun = prepareQuery<PreparedParameters & { id: string }>()((db, { id, ...columns }) =>
  db
    .updateTable('runs')
    .set(columns as Updateable<Schema['runs']>)
    .where('id', '=', id)
    .where('status', '=', 'running'),
)

const updateMessage = prepareQuery<{ runId: string; content: string }>()((db, { runId, content }) =>
  db.updateTable('messages').set({ content }).where('run_id', '=', runId).where('sender', '=', 'agent'),
)
