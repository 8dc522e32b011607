import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { clearUpAfterRuns } from './close-abandoned-runs.ts'
import { leaseMs } from './run-context.ts'
import type { LiveRun } from './run-registry.ts'

const beatMs = 1000

/**
 * Writes progress and leases of this process's runs every second and on request, and applies
 * stop requests from other processes. Returns the function that stops it.
 */
export function keepRunsInStep(services: Services): () => void {
  let busy = false
  let beats = 0
  // Sequential, because a concurrent write could store an older text last.
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
    // No row means that the agent was deleted or another process closed the run.
    if (!row || row.stop_requested) runs[index]?.abort.abort('stopped')
  })
  await passWordsOn(services, runs)
}

/** Delivers permissions given in another process, and expires requests past their deadline. */
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
