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

/** Parts that come in together: one write to the disk, one step of the progress bar. */
const partsAtOnce = 50
/** Writes of one transaction after which no further part is added. */
const maxWrites = 1000
/** At an archive that ends the process nobody looks for ever. */
const mostLooks = 3
const othersPatienceMs = hourMs

/** By the id of the job; what this process is doing. */
const underWay = new Map<string, Promise<void>>()

/** Aborted when the server stops. */
const stopping = new WeakMap<Services, AbortController>()

export const isUnderWay = (jobId: string): boolean => underWay.has(jobId)

/**
 * When the server stops: nothing more begins, and what is under way is broken off between two steps and left for the
 * next start.
 */
export async function pauseImports(services: Services): Promise<void> {
  stopOf(services).abort()
  await importsAreOver()
}

function stopOf(services: Services): AbortController {
  const stop = stopping.get(services) ?? new AbortController()
  stopping.set(services, stop)
  return stop
}

/** When a process starts that has the database to itself: whatever is under way then is nobody's. */
export async function freeAbandonedImports({ db }: Services): Promise<void> {
  await db
    .updateTable('import_jobs')
    .set({ lease_until: 0 })
    .where('state', 'in', ['uploaded', 'reading', 'running'])
    .execute()
}

/** Resolves when this process does nothing with any import any more. */
export async function importsAreOver(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay.values())
}

/**
 * Looks at an uploaded archive, or goes on with an import that was begun, from where it stands. Whoever has the lease
 * does it; a crash leaves it to the next. Never rejects: what fails is told in the job.
 */
export function carryOutImport(services: Services, jobId: string): Promise<void> {
  // Begun as soon as it was looked at, while the look is being put away.
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
    // Broken off it fails in more than one way; what would have failed by itself does so again after the start.
    if (signal.aborted) return row && giveBack(services, row)
    if (!(error instanceof Problem)) services.log.error({ err: error, jobId }, 'an import failed')
    const told = error instanceof Problem ? error.message : 'Something failed on the server. What came in stays.'
    if (row)
      await moveImport(services, row, ['uploaded', 'reading', 'running'], {
        state: 'failed',
        error: told,
        ...(row.state !== 'running' && { done: 0 }),
      }).catch((reason: unknown) =>
        services.log.error({ err: reason, jobId }, 'the end of an import could not be written'),
      )
  }
}

/** As it was before it was claimed: a look that was broken off is none that went wrong. */
async function giveBack({ db, log }: Services, row: ImportRow): Promise<void> {
  await db
    .updateTable('import_jobs')
    .set({ lease_until: 0, ...(row.state === 'reading' && { state: 'uploaded' }) })
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .execute()
    .catch((error: unknown) => log.warn({ err: error, jobId: row.id }, 'an import could not be given back'))
}

async function carryOutClaimed(services: Services, row: ImportRow, signal: AbortSignal): Promise<void> {
  if (row.state === 'reading' && row.done >= mostLooks)
    throw new Problem('unprocessable', {
      message:
        'Keeper stopped more than once while it looked at this archive. It may hold more than there is room for.',
    })
  await ArchiveReader.use(await jobFor(services, row), signal, async (archive) => {
    if (row.state === 'running') return bringIn(services, row, archive, signal)
    const looked = { state: 'previewed' as const, preview: json(archive.preview), total: archive.total, done: 0 }
    await moveImport(services, row, ['uploaded', 'reading'], looked)
  })
}

/** Keeps the lease while it works, however long one part takes. */
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
        services.log.warn({ err: error, jobId: row.id }, 'the lease of an import was not kept'),
      )
  }
  const timer = setInterval(hold, importLeaseMs / 3)
  timer.unref()
  try {
    await work(row)
  } finally {
    clearInterval(timer)
    // Or it would take back what is given back next.
    await held
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
      // Until it is looked at: how often whoever looked at it before went away over it.
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
    throw new Problem('unprocessable', { message: 'The keeper this was to go into is not there any more.' })
  return { kind: 'day-one', path, into, there: into ? await importedBefore(services, into) : new Set() }
}

async function bringIn(services: Services, row: ImportRow, archive: ArchiveReader, signal: AbortSignal): Promise<void> {
  // Day One's plan leaves out what is there by now, so its parts are always those still to come.
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
  /** What comes in otherwise than it is in the archive, in words. */
  notes: string[]
}

/** What has to be written for a part. Its files are unpacked here, before anything is written. */
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

/** The parts and the note how far it is, all or none. @throws Left when somebody stopped it */
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
