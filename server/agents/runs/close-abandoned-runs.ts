import { sql } from 'kysely'
import { apology } from '#contract/agents/answer-texts.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { releaseReservations } from '../usage/budget-reservations.ts'
import { getMsBetween, interruptedText, leaseMs } from './execute/run-context.ts'

export async function cleanUpAbandonedRuns(services: Services): Promise<void> {
  await closeAbandonedRuns(services)
  await releaseReservations(services)
  await services.runs.releaseMarked((runId) => releaseReservations(services, { runId }))
}

const batchSize = 500

/** Closes runs whose lease ended. A process that is alone with its database passes `Infinity` on start. */
export async function closeAbandonedRuns(services: Services, leaseCutoff = services.now().getTime()): Promise<number> {
  const cutoff = Math.min(leaseCutoff, Number.MAX_SAFE_INTEGER)
  const abandonedRuns = await services.db
    .selectFrom('runs')
    .select(['id', 'response', 'created_at', 'lease_until', 'tools', 'person_id as personId', 'agent_id as agentId'])
    .select('session_id as sessionId')
    .where('status', '=', 'running')
    .where('lease_until', '<', cutoff)
    .limit(batchSize)
    .execute()
  const remoteRuns = abandonedRuns.filter((run) => !services.runs.find(run.id))
  let closedCount = 0
  for (const run of remoteRuns) {
    const runUpdate = services.db
      .updateTable('runs')
      .set({
        status: 'interrupted',
        error_code: 'interrupted',
        error: interruptedText,
        // Ends at the last renewal of the lease, because the sweep can run weeks later.
        execution_time_ms: getMsBetween(run.created_at, run.lease_until - leaseMs),
        ...usageFromLedger,
        ...(run.tools && { tools: json(run.tools.map(toInterruptedCall)) }),
      })
      .where('id', '=', run.id)
      .where('status', '=', 'running')
      .where('lease_until', '<', cutoff)
    const messageUpdate = services.db
      .updateTable('messages')
      .set({ content: run.response || apology })
      .where('run_id', '=', run.id)
      .where('sender', '=', 'agent')
    try {
      await services.db.batch([requireChanges(runUpdate), messageUpdate])
      closedCount++
      await releaseReservations(services, { runId: run.id })
      const { id: runId, personId, agentId, sessionId } = run
      if (personId) services.live.publish(personId, { type: 'run-finished', runId, agentId, sessionId })
    } catch (error) {
      if (!(error instanceof UnexpectedChanges)) throw error
    }
  }
  return closedCount
}

const fromRunCalls = sql`from model_calls where model_calls.run_id = runs.id`
/**
 * Usage from the ledger, which lacks the interrupted request. Without a payer it costs nothing; without any entry it's
 * unknown.
 */
const usageFromLedger = {
  input_tokens: sql<number>`(select coalesce(sum(input_tokens), 0) ${fromRunCalls})`,
  output_tokens: sql<number>`(select coalesce(sum(output_tokens), 0) ${fromRunCalls})`,
  cost_micros: sql<
    number | null
  >`case when payer is null then 0 else (select case when count(*) = count(cost_micros) then sum(cost_micros) end ${fromRunCalls}) end`,
  usage_estimated: sql<boolean>`payer is not null`,
}

function toInterruptedCall(call: ToolCall): ToolCall {
  return call.state === 'running' || call.state === 'asks' ? { ...call, state: 'failed', result: 'Interrupted.' } : call
}
