import { sql } from 'kysely'
import { apology } from '#contract/agents/answer-words.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { giveBackHolds } from '../usage/budget-holds.ts'
import { interruptedText, leaseMs, msBetween } from './run-plan.ts'
import type { LiveRun } from './run-registry.ts'

const beatMs = 1000

/**
 * Keeps the rows of this process's runs in step with them: once a second what is new of the answer, a longer lease,
 * and whether somebody asked another process to stop one; and at once those that another process asks for. Returns the
 * function that ends it.
 */
export function keepRunsInStep(services: Services): () => void {
  let busy = false
  let beats = 0
  // One after the other: of two writes at once the older text might come last.
  let writing: Promise<unknown> = Promise.resolve()
  const write = (runs: () => LiveRun[]) => {
    const written = writing.then(() => writeProgress(services, runs()))
    writing = written.catch(() => undefined)
    return written
  }
  const beat = setInterval(async () => {
    if (busy) return
    busy = true
    try {
      await write(() => services.runs.all())
      if (++beats % 10 === 0) await clearUpAfterRuns(services)
    } catch (error) {
      services.log.error({ err: error }, 'the progress of runs could not be written')
    } finally {
      busy = false
    }
  }, beatMs)
  beat.unref()
  const asked = new Set<string>()
  const stopHearing = services.bus.on('run-asked-for', async ({ runId }) => {
    if (asked.has(runId) || !services.runs.find(runId)) return
    asked.add(runId)
    try {
      await write(() => {
        // Whoever asks from here on may want to know more than is written now.
        asked.delete(runId)
        return services.runs.all().filter(({ id }) => id === runId)
      })
    } catch (error) {
      services.log.error({ err: error, runId }, 'the progress of a run could not be written')
    }
  })
  return () => {
    clearInterval(beat)
    stopHearing()
  }
}

/** Ends what processes that are gone left running, and gives back what is held for nothing. */
export async function clearUpAfterRuns(services: Services): Promise<void> {
  await closeAbandonedRuns(services)
  await giveBackHolds(services)
  await services.runs.giveBack((runId) => giveBackHolds(services, { runId }))
}

async function writeProgress(services: Services, runs: LiveRun[]): Promise<void> {
  if (runs.length === 0) return
  const leaseUntil = services.now().getTime() + leaseMs
  const taken = runs.map((run) => ({ run, dirty: run.dirty, toolsDirty: run.toolsDirty }))
  const writes = taken.map(({ run, dirty, toolsDirty }) => {
    run.dirty = false
    run.toolsDirty = false
    return services.db
      .updateTable('runs')
      .set({
        lease_until: leaseUntil,
        ...(dirty && { response: run.response }),
        ...(toolsDirty && { tools: json(run.tools), sources: json(run.sources) }),
      })
      .where('id', '=', run.id)
      .where('status', '=', 'running')
      .returning('stop_requested')
  })
  const results = await services.db.batch(writes).catch((error: unknown) => {
    for (const { run, dirty, toolsDirty } of taken) {
      run.dirty ||= dirty
      run.toolsDirty ||= toolsDirty
    }
    throw error
  })
  results.forEach((result, index) => {
    const [row] = result.rows as { stop_requested: boolean }[]
    // Without a row that runs its agent was deleted, or another process closed it: nobody will see what it goes on to say.
    if (!row || row.stop_requested) runs[index]?.abort.abort('stopped')
  })
  await passWordsOn(services, runs)
}

/** Gives tool calls that wait the word their person said in another process; where nobody spoke in time, nobody's. */
async function passWordsOn(services: Services, runs: LiveRun[]): Promise<void> {
  const asking = runs.filter((run) => run.asks.size > 0)
  if (asking.length === 0) return
  const said = await services.db
    .selectFrom('tool_decisions')
    .select(['run_id', 'call_id', 'allowed'])
    .where(
      'run_id',
      'in',
      asking.map(({ id }) => id),
    )
    .execute()
  const now = services.now().getTime()
  for (const run of asking) {
    for (const { run_id, call_id, allowed } of said)
      if (run_id === run.id) run.asks.get(call_id)?.answer(allowed ? 'yes' : 'no')
    for (const ask of [...run.asks.values()]) if (ask.until <= now) ask.answer('late')
  }
}

/**
 * Closes runs whose process is gone: their lease ran out. Each gets its one ending.
 * A process that has the database to itself passes `Infinity` when it starts: whatever runs then is nobody's.
 */
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
        // Until its process was heard of last, not until somebody noticed: that may be weeks.
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
      // It ended after all, or another process closed it.
      if (!(error instanceof UnexpectedChanges)) throw error
    }
  }
  return closed
}

const itsCalls = sql`from model_calls where model_calls.run_id = runs.id`
/**
 * What a run used that could not sum it up itself: its requests as the ledger has them, which the one that was cut off is
 * not among. Where nobody pays it cost nothing; where somebody does and no request had ended, nobody knows.
 */
const usedByLedger = {
  input_tokens: sql<number>`(select coalesce(sum(input_tokens), 0) ${itsCalls})`,
  output_tokens: sql<number>`(select coalesce(sum(output_tokens), 0) ${itsCalls})`,
  cost_micros: sql<
    number | null
  >`case when payer is null then 0 else (select case when count(*) = count(cost_micros) then sum(cost_micros) end ${itsCalls}) end`,
  usage_estimated: sql<boolean>`payer is not null`,
}

/** A call that nobody carries out any more, and that asks nobody. */
function leftBehind(call: ToolCall): ToolCall {
  return call.state === 'running' || call.state === 'asks' ? { ...call, state: 'failed', result: 'Interrupted.' } : call
}

/** Asks a run to stop, whichever process carries it out. */
export async function requestStop(services: Services, runId: string): Promise<void> {
  await services.db
    .updateTable('runs')
    .set({ stop_requested: true })
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .execute()
  const run = services.runs.find(runId)
  run?.abort.abort('stopped')
  if (!run) services.bus.send({ kind: 'run-asked-for', runId })
}
