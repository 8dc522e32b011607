import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import { readUnreadCards } from '../memory-cards/read-cards.ts'
import { type ImportRow, importLeaseMs, importPath, moveImport } from './import-jobs.ts'
import type { ImportPlan } from './import-plan.ts'
import { planDayOne } from './plan-day-one.ts'
import { planKeeperArchive } from './plan-keeper-archive.ts'
import { ZipReader } from './zip-reader.ts'

/** Parts that come in together: one write to the disk, one step of the progress bar. */
const partsAtOnce = 50
const othersPatienceMs = 60 * 60 * 1000

/**
 * Looks at an uploaded archive, or goes on with an import that was begun, from where it stands. Whoever has the lease
 * does it; a crash leaves it to the next. Never rejects: what fails is told in the job.
 */
export async function carryOutImport(services: Services, jobId: string): Promise<void> {
  let row: ImportRow | undefined
  try {
    if (await isLeftToOthers(services, jobId)) return
    row = await claim(services, jobId)
    if (!row) return
    const zip = await ZipReader.open(importPath(services, jobId))
    try {
      const plan = await planOf(services, zip, row)
      if (row.state === 'running') await bringIn(services, row, plan)
      else {
        const looked = { state: 'previewed' as const, preview: json(plan.preview), total: plan.parts.length }
        await moveImport(services, row, ['uploaded', 'reading'], looked)
      }
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof Left) return
    if (!(error instanceof Problem)) services.log.error({ err: error, jobId }, 'an import failed')
    const told = error instanceof Problem ? error.message : 'Something failed on the server. What came in stays.'
    if (row)
      await moveImport(services, row, ['uploaded', 'reading', 'running'], { state: 'failed', error: told }).catch(
        (reason: unknown) => services.log.error({ err: reason, jobId }, 'the end of an import could not be written'),
      )
  }
}

/**
 * An archive lies in the data folder of the machine that took it: where there are other processes, that one is told. An
 * hour after the last that was heard of a job nobody has the archive, and whoever looks may say so.
 */
async function isLeftToOthers(services: Services, jobId: string): Promise<boolean> {
  const { bus, db, now } = services
  if (!bus.isOpen || existsSync(importPath(services, jobId))) return false
  const job = await db.selectFrom('import_jobs').select('updated_at').where('id', '=', jobId).executeTakeFirst()
  if (!job || job.updated_at < now().getTime() - othersPatienceMs) return false
  bus.send({ kind: 'import-wanted', jobId })
  return true
}

/** Goes on with imports whose archive is here when another process asks for it. Returns the function that ends it. */
export function carryOutForOthers(services: Services): () => void {
  return services.bus.on('import-wanted', ({ jobId }) => {
    if (existsSync(importPath(services, jobId))) void carryOutImport(services, jobId)
  })
}

/** The job was cancelled, or another process has it. */
class Left extends Error {}

async function claim({ db, now }: Services, jobId: string): Promise<ImportRow | undefined> {
  const at = now().getTime()
  return db
    .updateTable('import_jobs')
    .set((set) => ({
      lease_until: at + importLeaseMs,
      state: set.case().when('state', '=', 'uploaded').then('reading').else(set.ref('state')).end() as never,
    }))
    .where('id', '=', jobId)
    .where('state', 'in', ['uploaded', 'reading', 'running'])
    .where('lease_until', '<=', at)
    .returningAll()
    .executeTakeFirst()
}

async function planOf(services: Services, zip: ZipReader, row: ImportRow): Promise<ImportPlan> {
  const wanted = { jobId: row.id, personId: row.owner_id }
  if (row.kind === 'keeper-zip') return planKeeperArchive(services, zip, wanted)
  const keeper =
    row.keeper_id === null
      ? undefined
      : await services.db
          .selectFrom('keepers')
          .select(['id', 'owner_id'])
          .where('id', '=', row.keeper_id)
          .where('owner_id', '=', row.owner_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (row.state === 'running' && !keeper)
    throw new Problem('unprocessable', { message: 'The keeper this was to go into is not there any more.' })
  return planDayOne(services, zip, wanted, keeper)
}

async function bringIn(services: Services, row: ImportRow, plan: ImportPlan): Promise<void> {
  // Day One's plan leaves out what is there by now, so its parts are always those still to come.
  const skipped = row.kind === 'keeper-zip' ? row.done : 0
  const total = row.kind === 'keeper-zip' ? plan.parts.length : row.done + plan.parts.length
  const parts = plan.parts.slice(skipped)
  for (let from = 0; from < parts.length; from += partsAtOnce) {
    const together = parts.slice(from, from + partsAtOnce)
    const writes: Write[] = []
    for (const part of together) writes.push(...(await part.writes()))
    await step(services, row, { writes, done: row.done + from + together.length, total })
  }
  for (const keeperId of plan.keeperIds) await readUnreadCards(services, keeperId)
  const [keeperId] = plan.keeperIds
  await moveImport(services, row, ['running'], {
    state: 'done',
    done: total,
    total,
    ...(keeperId !== undefined && { keeper_id: keeperId }),
  })
  for (const id of plan.keeperIds) tellKeeperChanged(services, row.owner_id, id, 'keeper')
  await rm(importPath(services, row.id), { force: true })
}

/** The parts and the note how far it is, all or none. @throws Left when somebody stopped it */
async function step(
  services: Services,
  row: ImportRow,
  { writes, done, total }: { writes: Write[]; done: number; total: number },
): Promise<void> {
  const now = services.now().getTime()
  const note = services.db
    .updateTable('import_jobs')
    .set({ done, total, updated_at: now, lease_until: now + importLeaseMs })
    .where('id', '=', row.id)
    .where('state', '=', 'running')
  try {
    await services.db.batch([requireChanges(note), ...writes])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw new Left()
    throw error
  }
  services.live.tell(row.owner_id, { type: 'import-changed', jobId: row.id })
}
