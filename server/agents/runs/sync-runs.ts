import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { cleanUpAbandonedRuns } from './close-abandoned-runs.ts'
import { leaseMs } from './execute/run-context.ts'
import type { LiveRun } from './execute/run-registry.ts'

const syncIntervalMs = 1000
const ticksPerCleanUp = 10

export function startRunSync(services: Services): () => void {
  let isBusy = false
  let tickCount = 0
  // Sequential, because a concurrent write could store an older text last.
  let lastWrite: Promise<unknown> = Promise.resolve()
  const enqueueWrite = (getRuns: () => LiveRun[]) => {
    const progressWrite = lastWrite.then(() => writeProgress(services, getRuns()))
    lastWrite = progressWrite.catch(() => undefined)
    return progressWrite
  }
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    try {
      await enqueueWrite(() => services.runs.list())
      tickCount += 1
      if (tickCount % ticksPerCleanUp === 0) await cleanUpAbandonedRuns(services)
    } catch (error) {
      services.log.error({ err: error }, 'the progress of runs could not be saved')
    } finally {
      isBusy = false
    }
  }, syncIntervalMs)
  timer.unref()
  const requestedRunIds = new Set<string>()
  const unsubscribe = services.bus.on('run-asked-for', async ({ runId }) => {
    if (requestedRunIds.has(runId) || !services.runs.find(runId)) return
    requestedRunIds.add(runId)
    try {
      await enqueueWrite(() => {
        requestedRunIds.delete(runId)
        return services.runs.list().filter(({ id }) => id === runId)
      })
    } catch (error) {
      services.log.error({ err: error, runId }, 'the progress of a run could not be saved')
    }
  })
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}

async function writeProgress(services: Services, runs: LiveRun[]): Promise<void> {
  if (runs.length === 0) return
  const leaseUntil = services.now().getTime() + leaseMs
  const runStates = runs.map((run) => ({ run, isResponseDirty: run.isResponseDirty, areToolsDirty: run.areToolsDirty }))
  const writes = runStates.map(({ run, isResponseDirty, areToolsDirty }) => {
    run.isResponseDirty = false
    run.areToolsDirty = false
    return services.db
      .updateTable('runs')
      .set({
        lease_until: leaseUntil,
        ...(isResponseDirty && { response: run.response }),
        ...(areToolsDirty && { tools: json(run.tools), sources: json(run.sources) }),
      })
      .where('id', '=', run.id)
      .where('status', '=', 'running')
      .returning('stop_requested')
  })
  const results = await services.db.batch(writes).catch((error: unknown) => {
    for (const { run, isResponseDirty, areToolsDirty } of runStates) {
      run.isResponseDirty ||= isResponseDirty
      run.areToolsDirty ||= areToolsDirty
    }
    throw error
  })
  results.forEach((result, index) => {
    const [row] = result.rows as { stop_requested: boolean }[]
    // No row means that the agent was deleted or another process closed the run.
    if (!row || row.stop_requested) runs[index]?.abortController.abort('stopped')
  })
  await deliverDecisions(services, runs)
}

async function deliverDecisions(services: Services, runs: LiveRun[]): Promise<void> {
  const waitingRuns = runs.filter((run) => run.permissionRequests.size > 0)
  if (waitingRuns.length === 0) return
  const decisions = await services.db
    .selectFrom('tool_decisions')
    .select(['run_id', 'call_id', 'allowed'])
    .where(
      'run_id',
      'in',
      waitingRuns.map(({ id }) => id),
    )
    .execute()
  const now = services.now().getTime()
  for (const run of waitingRuns) {
    for (const { run_id, call_id, allowed } of decisions)
      if (run_id === run.id) run.permissionRequests.get(call_id)?.answer(allowed ? 'yes' : 'no')
    for (const request of [...run.permissionRequests.values()]) if (request.deadline <= now) request.answer('late')
  }
}
