import type { Usage } from '#contract/agents/runs.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { noteKeyVerdict } from '#server/keys/key-verdict.ts'
import { mockModel } from '#server/models/mock-model.ts'
import { defaultLimits } from '#server/models/model-limits.ts'
import { costOf } from '#server/models/prices.ts'
import { type ModelEvent, ModelFailure, type ModelRequest, runModel } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import { apology, emptyAnswer, failureToldTo, type Outcome, type RunPlan } from './run-plan.ts'
import type { LiveRun } from './run-registry.ts'
import { RunTrace } from './run-trace.ts'
import { speakAnswer } from './speak-answer.ts'

/**
 * Asks the model, passes the words on as they come, and writes how it ended: one row, one terminal event, whatever
 * happens. Never rejects.
 */
export async function carryOut(services: Services, run: LiveRun, plan: RunPlan): Promise<void> {
  const trace = new RunTrace(services, plan)
  let outcome: Outcome
  try {
    const speaks = plan.agent.model_provider === 'elevenlabs' && plan.key.source !== 'mock'
    outcome = await (speaks ? speakAnswer : askModel)(services, run, plan, trace)
  } catch (error) {
    outcome = failed(services, run, plan, trace, error)
    if (error instanceof ModelFailure) await keepVerdict(services, plan, error)
  }
  const elapsed = Math.max(0, services.now().getTime() - plan.startedAt)
  try {
    await writeEnding(services, run, trace, outcome, elapsed)
  } catch (error) {
    // The lease runs out and a sweep closes the row as interrupted; the reader is told now.
    services.log.error({ err: error, runId: run.id }, 'the end of a run could not be written')
    outcome = { ...outcome, status: 'interrupted', errorCode: 'not-stored', error: 'The answer could not be stored.' }
  }
  run.response = outcome.response
  run.tell({ event: 'usage', data: outcome.usage })
  run.end(
    outcome.status === 'success'
      ? {
          event: 'done',
          data: {
            response: outcome.response,
            run_id: run.id,
            session_id: run.sessionId,
            output: outcome.output,
            mock_mode: plan.key.source === 'mock',
            model: plan.settings.model,
            usage: outcome.usage,
            processing_time_ms: elapsed,
          },
        }
      : {
          event: 'error',
          data: {
            ...failureToldTo(run.personId, { code: outcome.errorCode ?? outcome.status, error: outcome.error }),
            run_id: run.id,
            processing_time_ms: elapsed,
            response: outcome.response,
          },
        },
  )
  if (outcome.status === 'success') await keepVerdict(services, plan, 'works')
  if (run.personId) {
    services.live.tell(run.personId, {
      type: 'run-finished',
      runId: run.id,
      agentId: plan.agent.id,
      sessionId: run.sessionId,
    })
  }
}

async function keepVerdict(services: Services, { agent, key }: RunPlan, ending: ModelFailure | 'works'): Promise<void> {
  try {
    await noteKeyVerdict(services, { provider: agent.model_provider, payer: key.payer, key: key.key }, ending)
  } catch (error) {
    services.log.error({ err: error }, 'what a provider said of a key could not be kept')
  }
}

async function askModel(services: Services, run: LiveRun, plan: RunPlan, trace: RunTrace): Promise<Outcome> {
  let finish: Extract<ModelEvent, { type: 'finish' }> | undefined
  for await (const event of modelEvents(services, run, plan)) {
    trace.note(event)
    if (event.type === 'text') run.append(event.delta)
    if (event.type === 'finish') finish = event
  }
  if (!finish) throw new Error('the model ended without saying so')
  const usage = priced(plan, finish.usage)
  const refused = finish.reason === 'content-filter' || finish.reason === 'refusal'
  if (refused && run.response === '') {
    return {
      status: 'error',
      errorCode: 'content-filter',
      error: 'The provider refused to answer this text.',
      response: '',
      output: { type: 'text', text: '' },
      usage,
    }
  }
  if (refused) trace.remark('The provider cut the answer short because of its content rules.')
  if (finish.reason === 'length') trace.remark('The answer reached the limit of max_tokens and ends there.')
  const response = run.response || emptyAnswer
  return { status: 'success', errorCode: null, error: null, response, output: { type: 'text', text: response }, usage }
}

function modelEvents(services: Services, run: LiveRun, plan: RunPlan): AsyncGenerator<ModelEvent> {
  const request: ModelRequest = {
    provider: plan.agent.model_provider,
    settings: plan.settings,
    system: plan.system,
    messages: plan.messages,
    credential: { key: plan.key.key, baseUrl: plan.key.baseUrl },
    stream: plan.stream,
    signal: run.abort.signal,
    // A plain answer comes whole: its first byte is as late as its last.
    ...(!plan.stream && { limits: { firstByteMs: defaultLimits.wallMs } }),
  }
  const runtime = services.modelRuntime
  return plan.key.source === 'mock' ? mockModel(runtime, request) : runModel(runtime, request)
}

function failed(services: Services, run: LiveRun, plan: RunPlan, trace: RunTrace, error: unknown): Outcome {
  const known = error instanceof ModelFailure ? error : undefined
  if (!known) services.log.error({ err: error, runId: run.id }, 'a run failed unexpectedly')
  const code = known?.code ?? 'internal'
  trace.fail(code)
  const estimate = { input_tokens: 0, output_tokens: Math.ceil(run.response.length / 4), estimated: true }
  const status =
    code === 'stopped'
      ? run.abort.signal.reason === 'shutdown'
        ? 'interrupted'
        : 'stopped'
      : code === 'interrupted'
        ? 'interrupted'
        : 'error'
  return {
    status,
    errorCode: status === 'interrupted' ? 'interrupted' : code,
    error:
      status === 'interrupted' && code === 'stopped'
        ? 'The server was restarted in the middle of the answer. The text so far is kept.'
        : (known?.message ?? 'Something failed on the server.'),
    response: run.response,
    output: { type: 'text', text: run.response },
    usage: priced(plan, estimate),
  }
}

function priced(plan: RunPlan, usage: { input_tokens: number; output_tokens: number; estimated: boolean }): Usage {
  const paid = plan.key.source === 'personal' || plan.key.source === 'platform'
  const cost = paid ? costOf(plan.agent.model_provider, plan.settings.model, usage) : 0
  // To the millionth of a dollar, which is what the row keeps: the answer and the log must not differ.
  return { ...usage, cost_usd: cost === null ? null : Math.round(cost * 1_000_000) / 1_000_000 }
}

async function writeEnding(
  services: Services,
  run: LiveRun,
  trace: RunTrace,
  outcome: Outcome,
  elapsed: number,
): Promise<void> {
  const { usage } = outcome
  const now = services.now().getTime()
  const row = services.db
    .updateTable('runs')
    .set({
      status: outcome.status,
      error_code: outcome.errorCode,
      error: outcome.error,
      response: outcome.response,
      output: outcome.status === 'success' ? json(outcome.output) : null,
      attempts: trace.attempts,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cost_micros: usage.cost_usd === null ? null : Math.round(usage.cost_usd * 1_000_000),
      usage_estimated: usage.estimated,
      notes: json(trace.remarks),
      execution_time_ms: elapsed,
      lease_until: now,
    })
    .where('id', '=', run.id)
    .where('status', '=', 'running')
  const spans = trace.spans(run.id, elapsed, outcome)
  const message = services.db
    .updateTable('messages')
    .set({ content: outcome.response || apology })
    .where('run_id', '=', run.id)
    .where('sender', '=', 'agent')
  // Nothing of it is kept when the row is closed already, by a sweep that took the run for abandoned.
  await services.db.batch([
    requireChanges(row),
    services.db.insertInto('run_spans').values(spans),
    ...(run.sessionId ? [message] : []),
  ])
}
