import { Problem } from '#server/http/problem.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import { embedPart } from './embed-part.ts'
import { embeddingModelFor } from './embedding-model.ts'

/** Longer than one request with all its retries. */
export const embeddingLeaseMs = 5 * 60 * 1000

export interface EmbeddingJob {
  id: string
  keeper_id: string
  owner_id: string
  model: string
}
interface UnderWay {
  abort: AbortController
  finished: Promise<void>
}
const tellEveryMs = 700
const toldAt = new WeakMap<EmbeddingJob, number>()
const underWay = new WeakMap<Services, Map<string, UnderWay>>()

/** Resumes jobs with an expired lease. A process that has the database to itself passes `Infinity` at its start. */
export async function resumeEmbedding(
  services: Services,
  {
    keeperId,
    leaseEndedBefore = services.now().getTime(),
  }: { keeperId?: string; leaseEndedBefore?: number | undefined } = {},
): Promise<void> {
  const { db } = services
  let abandoned = db
    .selectFrom('embedding_jobs')
    .select(['id', 'keeper_id', 'owner_id', 'model', 'lease_until'])
    .where('state', '=', 'running')
    .where('lease_until', '<', Math.min(leaseEndedBefore, Number.MAX_SAFE_INTEGER))
  if (keeperId !== undefined) abandoned = abandoned.where('keeper_id', '=', keeperId)
  for (const { lease_until, ...job } of await abandoned.execute()) {
    if (underWay.get(services)?.has(job.id)) continue
    const taken = await db
      .updateTable('embedding_jobs')
      .set({ lease_until: services.now().getTime() + embeddingLeaseMs })
      .where('id', '=', job.id)
      .where('state', '=', 'running')
      .where('lease_until', '=', lease_until)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 1n) beginEmbedding(services, job)
  }
}

/** On shutdown: aborts running jobs and leaves them for the next start. */
export async function pauseEmbedding(services: Services): Promise<void> {
  const all = [...(underWay.get(services)?.values() ?? [])]
  for (const { abort } of all) abort.abort('shutdown')
  await Promise.all(all.map(({ finished }) => finished))
}

export async function embeddingIsOver(services: Services): Promise<void> {
  await Promise.all([...(underWay.get(services)?.values() ?? [])].map(({ finished }) => finished))
}

/** Runs in the background; failures are stored in the job's row. */
export function beginEmbedding(services: Services, job: EmbeddingJob): void {
  const all = underWay.get(services) ?? new Map<string, UnderWay>()
  underWay.set(services, all)
  const abort = new AbortController()
  const finished = carryOut(services, job, abort.signal)
    .catch((error: unknown) => services.log.error({ err: error, jobId: job.id }, 'embedding job failed'))
    .finally(() => all.delete(job.id))
  all.set(job.id, { abort, finished })
}

async function carryOut(services: Services, job: EmbeddingJob, signal: AbortSignal): Promise<void> {
  try {
    let after = ''
    while (!signal.aborted) {
      const model = await embeddingModelFor(services, job.owner_id)
      if (model.name !== job.model) {
        await write(services, job, {
          state: 'failed',
          error: 'Your keys changed while cards were being embedded. Start again.',
        })
        return
      }
      const part = await embedPart(services, job, { model, after, signal })
      if (part.last === null) {
        await write(services, job, { state: 'done' })
        return
      }
      after = part.last
      if (!(await write(services, job, { done: part.count }))) return
    }
  } catch (error) {
    if (!signal.aborted) await write(services, job, { state: 'failed', error: wordsFor(error) })
    if (!(error instanceof ModelFailure || error instanceof Problem)) throw error
  } finally {
    if (signal.aborted) await write(services, job, { leftBehind: true })
  }
}

/** Returns false when the job is no longer running: its keeper or person was deleted. */
async function write(
  services: Services,
  job: EmbeddingJob,
  {
    state,
    error,
    done = 0,
    leftBehind,
  }: { state?: 'done' | 'failed'; error?: string; done?: number; leftBehind?: true },
): Promise<boolean> {
  const now = services.now().getTime()
  const row = await services.db
    .updateTable('embedding_jobs')
    .set((set) => ({
      done: set('done', '+', done),
      // Cards added during the job are embedded too.
      total: set
        .case()
        .when(set('done', '+', done), '>', set.ref('total'))
        .then(set('done', '+', done))
        .else(set.ref('total'))
        .end(),
      updated_at: now,
      lease_until: leftBehind || state ? 0 : now + embeddingLeaseMs,
      ...(state && { state }),
      ...(error !== undefined && { error }),
    }))
    .where('id', '=', job.id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  tellNowAndThen(services, job, state !== undefined)
  return row.numUpdatedRows === 1n
}

function wordsFor(error: unknown): string {
  return error instanceof ModelFailure || error instanceof Problem
    ? error.message
    : 'Something went wrong on the server. Cards embedded so far are kept; start again for the rest.'
}

/** Throttled, because open pages refetch everything on each event. */
function tellNowAndThen(services: Services, job: EmbeddingJob, isOver: boolean): void {
  const now = performance.now()
  if (!isOver && now - (toldAt.get(job) ?? Number.NEGATIVE_INFINITY) < tellEveryMs) return
  toldAt.set(job, now)
  tellKeeperChanged(services, job.owner_id, job.keeper_id, 'embedding')
}
