import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { ImportPreview } from '#contract/keepers/transfer.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { hourMs } from '#server/hours-and-days.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { jsonColumn } from '../entries/json-column.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import { readUnreadCards } from '../memory-cards/read-cards.ts'
import { ArchiveReader, inTurn } from './archive-reader.ts'
import type { ArchiveJob } from './archive-thread.ts'
import { type ImportRow, importLeaseMs, importPath, moveImport } from './import-jobs.ts'
import { emptyPreview, type ImportPart, shortNotes } from './import-plan.ts'
import type { Unpacking } from './media-from-zip.ts'
import { dayOneWrites, importedBefore } from './part-of-day-one.ts'
import { entryWrites } from './part-of-entry.ts'
import { keeperWrites } from './part-of-keeper.ts'
import { runWrites } from './part-of-run.ts'
import { pathWrites } from './paths-from-archive.ts'
import { soleWrites } from './sole-from-archive.ts'
import { ZipReader } from './zip-reader.ts'

const partsAtOnce = 50
/** No further part joins a transaction with this many writes. */
const maxWrites = 1000
/** Attempts to open an archive that ends the process. */
const mostLooks = 3
const othersPatienceMs = hourMs

const underWay = new Map<string, Promise<void>>()

const stopping = new WeakMap<Services, AbortController>()

export const isUnderWay = (jobId: string): boolean => underWay.has(jobId)

/** On shutdown: aborts running imports between two steps and leaves them for the next start. */
export async function pauseImports(services: Services): Promise<void> {
  stopOf(services).abort()
  await importsAreOver()
}

function stopOf(services: Services): AbortController {
  const stop = stopping.get(services) ?? new AbortController()
  stopping.set(services, stop)
  return stop
}

/** At the start of a process that has the database to itself, every lease is stale. */
export async function freeAbandonedImports({ db }: Services): Promise<void> {
  await db
    .updateTable('import_jobs')
    .set({ lease_until: 0 })
    .where('state', 'in', ['uploaded', 'reading', 'running'])
    .execute()
}

export async function importsAreOver(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay.values())
}

/** Opens an uploaded archive or resumes a started import, under a lease. Never rejects: errors are stored in the job.
 * */
export function carryOutImport(services: Services, jobId: string): Promise<void> {
  // An import can start while its preview is still being saved.
  const before = underWay.get(jobId) ?? Promise.resolve()
  const work = before
    .then(() => carryOut(services, jobId))
    .finally(() => {
      if (underWay.get(jobId) === work) underWay.delete(jobId)
    })
  underWay.set(jobId, work)
  return work
}

async function carryOut(services: Services, jobId: string): Promise<void> {
  let row: ImportRow | undefined
  const { signal } = stopOf(services)
  try {
    signal.throwIfAborted()
    if (await isLeftToOthers(services, jobId)) return
    const job = await services.db
      .selectFrom('import_jobs')
      .select('owner_id')
      .where('id', '=', jobId)
      .executeTakeFirst()
    if (!job) return
    await inTurn(job.owner_id, async () => {
      signal.throwIfAborted()
      row = await claim(services, jobId)
      if (row) await whileHeld(services, row, (claimed) => carryOutClaimed(services, claimed, signal))
    })
  } catch (error) {
    if (error instanceof Left) return
    // An abort surfaces as various errors; a real failure repeats after the restart.
    if (signal.aborted) return row && giveBack(services, row)
    if (!(error instanceof Problem)) services.log.error({ err: error, jobId }, 'import failed')
    const told =
      error instanceof Problem ? error.message : 'Something failed on the server. Entries imported so far are kept.'
    if (row)
      await moveImport(services, row, ['uploaded', 'reading', 'running'], {
        state: 'failed',
        error: told,
        ...(row.state !== 'running' && { done: 0 }),
      }).catch((reason: unknown) =>
        services.log.error({ err: reason, jobId }, 'could not save the outcome of an import'),
      )
  }
}

/** Restores the state before the claim: an interrupted preview did not fail. */
async function giveBack({ db, log }: Services, row: ImportRow): Promise<void> {
  await db
    .updateTable('import_jobs')
    .set({ lease_until: 0, ...(row.state === 'reading' && { state: 'uploaded' }) })
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .execute()
    .catch((error: unknown) => log.warn({ err: error, jobId: row.id }, 'could not release an import'))
}

async function carryOutClaimed(services: Services, row: ImportRow, signal: AbortSignal): Promise<void> {
  if (row.state === 'reading' && row.done >= mostLooks)
    throw new Problem('unprocessable', {
      message: 'Keeper stopped more than once while reading this archive. It may be too large for this server.',
    })
  await ArchiveReader.use(await jobFor(services, row), signal, async (archive) => {
    if (row.state === 'running') return bringIn(services, row, archive, signal)
    const looked = { state: 'previewed' as const, preview: json(archive.preview), total: archive.total, done: 0 }
    await moveImport(services, row, ['uploaded', 'reading'], looked)
  })
}

/** Renews the lease while `work` runs. */
async function whileHeld(services: Services, row: ImportRow, work: (row: ImportRow) => Promise<void>): Promise<void> {
  let held: Promise<unknown> = Promise.resolve()
  const hold = () => {
    held = services.db
      .updateTable('import_jobs')
      .set({ lease_until: services.now().getTime() + importLeaseMs })
      .where('id', '=', row.id)
      .where('state', 'in', ['reading', 'running'])
      .execute()
      .catch((error: unknown) =>
        services.log.warn({ err: error, jobId: row.id }, 'could not renew the lease of an import'),
      )
  }
  const timer = setInterval(hold, importLeaseMs / 3)
  timer.unref()
  try {
    await work(row)
  } finally {
    clearInterval(timer)
    // A late renewal would overwrite the release of the lease.
    await held
  }
}

/** Archives are on the disk of the process that received them, so the job goes there. After an hour without progress
 * nobody has the archive any more, and any process can report that. */
async function isLeftToOthers(services: Services, jobId: string): Promise<boolean> {
  const { bus, db, now } = services
  if (!bus.isOpen || existsSync(importPath(services, jobId))) return false
  const job = await db.selectFrom('import_jobs').select('updated_at').where('id', '=', jobId).executeTakeFirst()
  if (!job || job.updated_at < now().getTime() - othersPatienceMs) return false
  bus.send({ kind: 'import-wanted', jobId })
  return true
}

/** Resumes imports whose archive is on this machine when another process asks. Returns the unsubscribe function. */
export function carryOutForOthers(services: Services): () => void {
  return services.bus.on('import-wanted', ({ jobId }) => {
    if (existsSync(importPath(services, jobId))) void carryOutImport(services, jobId)
  })
}

/** The job was canceled, or another process has it. */
class Left extends Error {}

async function claim({ db, now }: Services, jobId: string): Promise<ImportRow | undefined> {
  const at = now().getTime()
  return db
    .updateTable('import_jobs')
    .set((set) => ({
      lease_until: at + importLeaseMs,
      state: set.case().when('state', '=', 'uploaded').then('reading').else(set.ref('state')).end() as never,
      // During a preview, `done` counts the attempts.
      done: set
        .case()
        .when('state', '=', 'reading')
        .then(set('done', '+', 1))
        .else(set.ref('done'))
        .end() as never,
    }))
    .where('id', '=', jobId)
    .where('state', 'in', ['uploaded', 'reading', 'running'])
    .where('lease_until', '<=', at)
    .returningAll()
    .executeTakeFirst()
}

async function jobFor(services: Services, row: ImportRow): Promise<ArchiveJob> {
  const path = importPath(services, row.id)
  if (row.kind === 'keeper-zip') return { kind: 'keeper-zip', path, wanted: { jobId: row.id, personId: row.owner_id } }
  const into =
    row.keeper_id === null
      ? undefined
      : await services.db
          .selectFrom('keepers')
          .select(['id', 'owner_id'])
          .where('id', '=', row.keeper_id)
          .where('owner_id', '=', row.owner_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (row.state === 'running' && !into)
    throw new Problem('unprocessable', { message: 'The keeper chosen for this import no longer exists.' })
  return { kind: 'day-one', path, into, there: into ? await importedBefore(services, into) : new Set() }
}

async function bringIn(services: Services, row: ImportRow, archive: ArchiveReader, signal: AbortSignal): Promise<void> {
  // A Day One plan omits imported entries, so all of its parts are still to do.
  const skipped = row.kind === 'keeper-zip' ? row.done : 0
  const before = row.done - skipped
  const total = before + archive.total
  const unpacking: Unpacking = { zip: await ZipReader.open(importPath(services, row.id)), bytesWithoutRows: 0 }
  let preview = jsonColumn(row.preview)
  try {
    for (let from = skipped; from < archive.total; ) {
      // A small zip can hold texts of any length.
      await services.usage.requireSpace(row.owner_id)
      const together = await archive.parts(from, partsAtOnce)
      if (together.length === 0) throw new Error('The parts of an archive ended too early')
      const writes: Write[] = []
      const notes: string[] = []
      let count = 0
      for (const part of together) {
        signal.throwIfAborted()
        writes.push(...(await writesOf(services, { unpacking, jobId: row.id, notes }, part)))
        count += 1
        if (writes.length >= maxWrites) break
      }
      from += count
      if (notes.length > 0) preview = withNotes(preview, notes)
      await step(services, row, { writes, done: before + from, total, preview: notes.length > 0 ? preview : null })
      services.usage.add(row.owner_id, JSON.stringify(together.slice(0, count)).length, writes.length)
      unpacking.bytesWithoutRows = 0
    }
  } finally {
    unpacking.zip.close()
  }
  for (const keeperId of archive.keeperIds) {
    signal.throwIfAborted()
    await readUnreadCards(services, keeperId)
  }
  const [keeperId] = archive.keeperIds
  await moveImport(services, row, ['running'], {
    state: 'done',
    done: total,
    total,
    ...(keeperId !== undefined && { keeper_id: keeperId }),
  })
  for (const id of archive.keeperIds) tellKeeperChanged(services, row.owner_id, id, 'keeper')
  await rm(importPath(services, row.id), { force: true })
}

const withNotes = (preview: ImportPreview | null, notes: readonly string[]): ImportPreview => {
  const told = preview ?? emptyPreview
  return { ...told, ...shortNotes([...new Set([...notes, ...told.notes])], told.moreNotes) }
}

interface Bringing {
  unpacking: Unpacking
  jobId: string
  notes: string[]
}

/** Unpacks the files of a part and returns its database writes. */
async function writesOf(services: Services, { unpacking, jobId, notes }: Bringing, part: ImportPart): Promise<Write[]> {
  switch (part.kind) {
    case 'keeper':
      return keeperWrites(services, part, notes)
    case 'entry':
      return entryWrites(services, unpacking, part)
    case 'path':
      return pathWrites(services, part)
    case 'sole':
      return soleWrites(services, part)
    case 'run':
      return runWrites(services, unpacking, part, notes)
    case 'day-one':
      return dayOneWrites(services, unpacking, jobId, part)
  }
}

/** Writes the parts and the progress atomically. @throws ImportStopped when the import was stopped */
async function step(
  services: Services,
  row: ImportRow,
  { writes, done, total, preview }: { writes: Write[]; done: number; total: number; preview: ImportPreview | null },
): Promise<void> {
  const now = services.now().getTime()
  const note = services.db
    .updateTable('import_jobs')
    .set({ done, total, ...(preview && { preview: json(preview) }), updated_at: now, lease_until: now + importLeaseMs })
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
