import { apology, emptyAnswer } from '#contract/agents/answer-words.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { DiskFull, UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { ModelFailure } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import { withRetries } from '../usage/with-retries.ts'
import { answerWithTools } from './answer-with-tools.ts'
import { GrowingText } from './growing-text.ts'
import {
  type AgentAtWork,
  failureToldTo,
  interruptedText,
  Ledger,
  msBetween,
  type Outcome,
  RunFailure,
  type RunPlan,
  type RunUnderWay,
} from './run-context.ts'
import type { LiveRun } from './run-registry.ts'
import { RunTrace } from './run-trace.ts'
import { speakAnswer } from './speak-answer.ts'

/** Runs the agent and writes exactly one outcome and terminal event. Never rejects. */
export async function executeRun(services: Services, run: LiveRun, plan: RunPlan): Promise<void> {
  const trace = new RunTrace(services, run, plan)
  const { runner, input, stream, agent: root } = plan
  const under: RunUnderWay = { services, run, trace, root, runner, input, stream, ledger: new Ledger(services) }
  let outcome: Outcome
  try {
    if (plan.refusal) throw plan.refusal
    const speaks = plan.agent.model_provider === 'elevenlabs' && plan.key.source !== 'mock'
    outcome = await (speaks ? speakAnswer : answer)(under, plan)
  } catch (error) {
    outcome = failed(under, error)
  }
  const elapsed = msBetween(plan.startedAt, services.now().getTime())
  trace.close(outcome)
  try {
    await writeEndingPatiently(under, outcome, elapsed)
  } catch (error) {
    // Costs are recorded even though the run's row is lost.
    under.ledger.write()
    // A sweep later closes the row as interrupted; the reader learns it now.
    services.log.error({ err: error, runId: run.id }, 'the end of a run could not be written')
    const isFull = error instanceof DiskFull
    if (!isFull) run.retryAfterSeconds = 5
    outcome = {
      ...outcome,
      status: 'interrupted',
      errorCode: isFull ? 'storage-full' : 'not-stored',
      error: isFull ? "The answer couldn't be saved: the disk is full." : "The answer couldn't be saved.",
    }
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
            model: run.answeredBy?.model ?? plan.settings.model,
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
  if (run.personId) {
    services.live.tell(run.personId, {
      type: 'run-finished',
      runId: run.id,
      agentId: plan.agent.id,
      sessionId: run.sessionId,
    })
  }
}

async function answer(under: RunUnderWay, plan: RunPlan): Promise<Outcome> {
  const { run, trace } = under
  const work: AgentAtWork = {
    ...under,
    ...plan,
    askedBy: [],
    span: trace.root,
    shownSystem: plan.system,
    said: new GrowingText(),
    hear: (delta) => run.append(delta),
    think: (delta) => run.tellReasoning(delta),
  }
  trace.putIn(trace.root, plan.context, plan.agent.context_scope)
  const reason = await answerWithTools(work)
  const usage = trace.usageOf(trace.root)
  const refused = reason === 'content-filter' || reason === 'refusal'
  if (refused && run.response.trim() === '') {
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
  if (reason === 'length') trace.remark('The answer reached the max_tokens limit and ends there.')
  if (reason === 'length' && run.response.trim() === '')
    return {
      status: 'error',
      errorCode: 'max-tokens',
      error: `The model spent all ${plan.settings.max_tokens?.toLocaleString('en-US') ?? 'its'} tokens (max tokens) on thinking and wrote no answer. Raise max tokens in the agent's form.`,
      response: '',
      output: { type: 'text', text: '' },
      usage,
    }
  if (reason === 'other' && run.response.trim() === '')
    return {
      status: 'error',
      errorCode: 'provider-failed',
      error: "The provider ended the answer before it began. The run's notes give its reason.",
      response: '',
      output: { type: 'text', text: '' },
      usage,
    }
  const response = run.response.trim() === '' ? emptyAnswer : run.response
  return { status: 'success', errorCode: null, error: null, response, output: { type: 'text', text: response }, usage }
}

function failed({ services, run, trace }: RunUnderWay, error: unknown): Outcome {
  const known = knownFailure(error)
  if (!known) services.log.error({ err: error, runId: run.id }, 'a run failed unexpectedly')
  if (error instanceof Problem) run.retryAfterSeconds = error.details.retryAfterSeconds
  const code = known?.code ?? 'internal'
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
        ? interruptedText
        : (known?.message ?? 'Something failed on the server.'),
    response: run.response,
    output: { type: 'text', text: run.response },
    usage: trace.usageOf(trace.root),
  }
}

function knownFailure(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof ModelFailure || error instanceof RunFailure) return error
  return error instanceof Problem && error.kind === 'over-budget' ? error : undefined
}

async function writeEndingPatiently(under: RunUnderWay, outcome: Outcome, elapsed: number): Promise<void> {
  const { services, run } = under
  await withRetries(services, async (triedBefore) => {
    try {
      await writeEnding(under, outcome, elapsed)
    } catch (error) {
      // A commit whose response was lost had succeeded.
      const isOver = triedBefore > 0 && error instanceof UnexpectedChanges && (await endedAs(services, run, outcome))
      if (!isOver) throw error
      await under.ledger.take()
    }
  })
}

async function endedAs({ db }: Services, { id }: LiveRun, { status, response }: Outcome): Promise<boolean> {
  const row = await db.selectFrom('runs').select(['status', 'response']).where('id', '=', id).executeTakeFirst()
  return row?.status === status && row.response === response
}

async function writeEnding(under: RunUnderWay, outcome: Outcome, elapsed: number): Promise<void> {
  const { services, run, trace, ledger } = under
  const { usage } = outcome
  const now = services.now().getTime()
  const row = services.db
    .updateTable('runs')
    .set({
      status: outcome.status,
      ...(run.answeredBy && { model: run.answeredBy.model, model_provider: run.answeredBy.provider }),
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
      tools: json(run.tools),
      sources: json(run.sources),
      execution_time_ms: elapsed,
      lease_until: now,
    })
    .where('id', '=', run.id)
    .where('status', '=', 'running')
  const message = services.db
    .updateTable('messages')
    .set({ content: outcome.response || apology })
    .where('run_id', '=', run.id)
    .where('sender', '=', 'agent')
  // Stored together with the row, so nothing is kept if a sweep has closed it.
  const settled = await ledger.take()
  try {
    await services.db.batch([
      requireChanges(row),
      services.db.insertInto('run_spans').values(trace.rows(run.id)),
      ...(run.sessionId ? [message] : []),
      ...settled,
    ])
  } catch (error) {
    ledger.add(settled)
    throw error
  }
}
