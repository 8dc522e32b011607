import { Problem } from '#server/http/problem.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { embedBatch } from './embed-batch.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'

/** Longer than one request with all its retries. */
export const embeddingLeaseMs = 5 * 60 * 1000

export interface EmbeddingJob {
  id: string
  keeper_id: string
  owner_id: string
  model: string
}
interface RunningEmbedding {
  controller: AbortController
  finished: Promise<void>
}
const publishIntervalMs = 700
const lastPublishedAt = new WeakMap<EmbeddingJob, number>()
const runningJobs = new WeakMap<Services, Map<string, RunningEmbedding>>()

/** Resumes jobs with an expired lease. A process with exclusive access to the database passes `Infinity` at startup. */
export async function resumeEmbedding(
  services: Services,
  {
    keeperId,
    leaseExpiredBefore = services.now().getTime(),
  }: { keeperId?: string; leaseExpiredBefore?: number | undefined } = {},
): Promise<void> {
  const { db } = services
  let abandoned = db
    .selectFrom('embedding_jobs')
    .select(['id', 'keeper_id', 'owner_id', 'model', 'lease_until'])
    .where('state', '=', 'running')
    .where('lease_until', '<', Math.min(leaseExpiredBefore, Number.MAX_SAFE_INTEGER))
  if (keeperId !== undefined) abandoned = abandoned.where('keeper_id', '=', keeperId)
  for (const { lease_until, ...job } of await abandoned.execute()) {
    if (runningJobs.get(services)?.has(job.id)) continue
    const claimed = await db
      .updateTable('embedding_jobs')
      .set({ lease_until: services.now().getTime() + embeddingLeaseMs })
      .where('id', '=', job.id)
      .where('state', '=', 'running')
      .where('lease_until', '=', lease_until)
      .executeTakeFirst()
    if (claimed.numUpdatedRows === 1n) startEmbedding(services, job)
  }
}

export async function stopEmbedding(services: Services): Promise<void> {
  const running = [...(runningJobs.get(services)?.values() ?? [])]
  for (const { controller } of running) controller.abort('shutdown')
  await Promise.all(running.map(({ finished }) => finished))
}

export async function waitForEmbedding(services: Services): Promise<void> {
  await Promise.all([...(runningJobs.get(services)?.values() ?? [])].map(({ finished }) => finished))
}

export function startEmbedding(services: Services, job: EmbeddingJob): void {
  const runningById = runningJobs.get(services) ?? new Map<string, RunningEmbedding>()
  runningJobs.set(services, runningById)
  const controller = new AbortController()
  const finished = executeEmbedding(services, job, controller.signal)
    .catch((error: unknown) => services.log.error({ err: error, jobId: job.id }, 'embedding job failed'))
    .finally(() => runningById.delete(job.id))
  runningById.set(job.id, { controller, finished })
}

async function executeEmbedding(services: Services, job: EmbeddingJob, signal: AbortSignal): Promise<void> {
  try {
    let afterId = ''
    while (!signal.aborted) {
      const model = await chooseEmbeddingModel(services, job.owner_id)
      if (model.name !== job.model) {
        await saveProgress(services, job, {
          state: 'failed',
          error: 'Your keys changed while cards were being embedded. Start again.',
        })
        return
      }
      const batch = await embedBatch(services, job, { model, afterId, signal })
      if (batch.lastId === null) {
        await saveProgress(services, job, { state: 'done' })
        return
      }
      afterId = batch.lastId
      if (!(await saveProgress(services, job, { addedCount: batch.count }))) return
    }
  } catch (error) {
    if (!signal.aborted) await saveProgress(services, job, { state: 'failed', error: toErrorMessage(error) })
    if (!(error instanceof ModelFailure || error instanceof Problem)) throw error
  } finally {
    if (signal.aborted) await saveProgress(services, job, { isAbandoned: true })
  }
}

async function saveProgress(
  services: Services,
  job: EmbeddingJob,
  {
    state,
    error,
    addedCount = 0,
    isAbandoned,
  }: { state?: 'done' | 'failed'; error?: string; addedCount?: number; isAbandoned?: true },
): Promise<boolean> {
  const now = services.now().getTime()
  const row = await services.db
    .updateTable('embedding_jobs')
    .set((set) => ({
      done: set('done', '+', addedCount),
      total: set
        .case()
        .when(set('done', '+', addedCount), '>', set.ref('total'))
        .then(set('done', '+', addedCount))
        .else(set.ref('total'))
        .end(),
      updated_at: now,
      lease_until: isAbandoned || state ? 0 : now + embeddingLeaseMs,
      ...(state && { state }),
      ...(error !== undefined && { error }),
    }))
    .where('id', '=', job.id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  publishProgress(services, job, state !== undefined)
  return row.numUpdatedRows === 1n
}

function toErrorMessage(error: unknown): string {
  return error instanceof ModelFailure || error instanceof Problem
    ? error.message
    : 'Something went wrong on the server. Cards embedded so far are kept; start again for the rest.'
}

/** Throttled, because open pages refetch everything on each event. */
function publishProgress(services: Services, job: EmbeddingJob, isFinished: boolean): void {
  const now = performance.now()
  if (!isFinished && now - (lastPublishedAt.get(job) ?? Number.NEGATIVE_INFINITY) < publishIntervalMs) return
  lastPublishedAt.set(job, now)
  publishKeeperChanged(services, job.owner_id, job.keeper_id, 'embedding')
}
