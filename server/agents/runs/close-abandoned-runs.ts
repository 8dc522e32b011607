import { sql } from 'kysely'
import { apology } from '#contract/agents/answer-words.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { giveBackHolds } from '../usage/budget-holds.ts'
import { interruptedText, leaseMs, msBetween } from './run-context.ts'

export async function clearUpAfterRuns(services: Services): Promise<void> {
  await closeAbandonedRuns(services)
  await giveBackHolds(services)
  await services.runs.giveBack((runId) => giveBackHolds(services, { runId }))
}

/** Closes runs whose lease ended. A process that is alone with its database passes `Infinity` on start. */
export async function closeAbandonedRuns(
  services: Services,
  leaseEndedBefore = services.now().getTime(),
): Promise<number> {
  const latest = Math.min(leaseEndedBefore, Number.MAX_SAFE_INTEGER)
  const abandoned = await services.db
    .selectFrom('runs')
    .select(['id', 'response', 'created_at', 'lease_until', 'tools', 'person_id as personId', 'agent_id as agentId'])
    .select('session_id as sessionId')
    .where('status', '=', 'running')
    .where('lease_until', '<', latest)
    .limit(500)
    .execute()
  const theirs = abandoned.filter((run) => !services.runs.find(run.id))
  let closed = 0
  for (const run of theirs) {
    const ending = services.db
      .updateTable('runs')
      .set({
        status: 'interrupted',
        error_code: 'interrupted',
        error: interruptedText,
        // Until the last sign of life, because the sweep can happen weeks later.
        execution_time_ms: msBetween(run.created_at, run.lease_until - leaseMs),
        ...usedByLedger,
        ...(run.tools && { tools: json(run.tools.map(leftBehind)) }),
      })
      .where('id', '=', run.id)
      .where('status', '=', 'running')
      .where('lease_until', '<', latest)
    const message = services.db
      .updateTable('messages')
      .set({ content: run.response || apology })
      .where('run_id', '=', run.id)
      .where('sender', '=', 'agent')
    try {
      await services.db.batch([requireChanges(ending), message])
      closed++
      await giveBackHolds(services, { runId: run.id })
      const { id: runId, personId, agentId, sessionId } = run
      if (personId) services.live.tell(personId, { type: 'run-finished', runId, agentId, sessionId })
    } catch (error) {
      if (!(error instanceof UnexpectedChanges)) throw error
    }
  }
  return closed
}

const itsCalls = sql`from model_calls where model_calls.run_id = runs.id`
/** Usage from the ledger, which lacks the interrupted request. Without a payer it costs nothing; without any entry it's unknown. */
const usedByLedger = {
  input_tokens: sql<number>`(select coalesce(sum(input_tokens), 0) ${itsCalls})`,
  output_tokens: sql<number>`(select coalesce(sum(output_tokens), 0) ${itsCalls})`,
  cost_micros: sql<
    number | null
  >`case when payer is null then 0 else (select case when count(*) = count(cost_micros) then sum(cost_micros) end ${itsCalls}) end`,
  usage_estimated: sql<boolean>`payer is not null`,
}

function leftBehind(call: ToolCall): ToolCall {
  return call.state === 'running' || call.state === 'asks' ? { ...call, state: 'failed', result: 'Interrupted.' } : call
}
