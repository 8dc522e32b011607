import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Updateable } from 'kysely'
import type { ImportPreview } from '#contract/keepers/transfer.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { parseJsonColumn } from '../entries/entry-tables.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { selectOwnKeepers } from '../keeper-access.ts'
import { indexPendingCards } from '../memory-cards/index-cards.ts'
import { getPersonTimezone } from '../person-timezone.ts'
import { ArchiveReader, withReadSlot } from './archive-reader.ts'
import type { ArchiveJob } from './archive-thread.ts'
import {
  createEntryWrites,
  createMomentWrites,
  createSourceWrites,
  findExistingSources,
  findImportedIds,
} from './entry-writes.ts'
import { type FetchArchive, storeFetchedArchive } from './fetched-archive.ts'
import { ImportNotes } from './import-notes.ts'
import { emptyPreview, type ImportPart, limitNotes } from './import-plan.ts'
import { getImportPath, type ImportRow, ImportStopped, importLeaseMs, updateImportState } from './import-state.ts'
import { createPathWrites, createSoleWrites } from './paths-and-sole.ts'
import { createKeeperWrites } from './slice-topics.ts'
import { createRunWrites } from './unfinished-runs.ts'
import type { PartContext } from './unpack-media.ts'
import { ZipReader } from './zip-reader.ts'

const batchSize = 50
/** A transaction with this many writes is committed before the next part. */
const maxWrites = 1000
/** Limits the attempts, because reading an archive can crash the process. */
const maxPreviewAttempts = 3
const remoteTimeoutMs = hourMs

const runningImports = new Map<string, Promise<void>>()

const stopControllers = new WeakMap<Services, AbortController>()

export const isImportRunning = (jobId: string): boolean => runningImports.has(jobId)

export async function stopImports(services: Services): Promise<void> {
  getStopController(services).abort()
  await waitForImports()
}

function getStopController(services: Services): AbortController {
  const controller = stopControllers.get(services) ?? new AbortController()
  stopControllers.set(services, controller)
  return controller
}

/** When a process starts and no other uses the database, every lease is stale. */
export async function freeAbandonedImports({ db }: Services): Promise<void> {
  await db
    .updateTable('import_jobs')
    .set({ lease_until: 0 })
    .where('state', 'in', ['uploaded', 'reading', 'running'])
    .execute()
}

export async function waitForImports(): Promise<void> {
  while (runningImports.size > 0) await Promise.all(runningImports.values())
}

/**
 * Runs under a lease. Never rejects: errors are stored in the job.
 * @param fetchArchive for an archive that isn't on disk yet
 */
export function executeImport(services: Services, jobId: string, fetchArchive?: FetchArchive): Promise<void> {
  // An import can start while its preview is still being saved.
  const previous = runningImports.get(jobId) ?? Promise.resolve()
  const importRun = previous
    .then(() => runImport(services, jobId, fetchArchive))
    .finally(() => {
      if (runningImports.get(jobId) === importRun) runningImports.delete(jobId)
    })
  runningImports.set(jobId, importRun)
  return importRun
}

async function runImport(services: Services, jobId: string, fetchArchive?: FetchArchive): Promise<void> {
  let row: ImportRow | undefined
  const { signal } = getStopController(services)
  try {
    signal.throwIfAborted()
    if (fetchArchive) {
      // Outside the read slots, because other people's archives must not wait for a remote server.
      row = await claimImport(services, jobId)
      if (row) await withLease(services, row, (claimed) => storeFetchedArchive(services, claimed, fetchArchive, signal))
    }
    if (await delegateToOtherProcess(services, jobId)) return
    const { db } = services
    const job = await db.selectFrom('import_jobs').select('owner_id').where('id', '=', jobId).executeTakeFirst()
    if (!job) return
    await withReadSlot(job.owner_id, async () => {
      signal.throwIfAborted()
      row = await claimImport(services, jobId)
      if (row) await withLease(services, row, (claimed) => runClaimedImport(services, claimed, signal))
    })
  } catch (error) {
    if (error instanceof ImportStopped) return
    // An abort surfaces as various errors; a real failure repeats after the restart.
    if (signal.aborted) return row && releaseImport(services, row)
    if (!(error instanceof Problem)) services.log.error({ err: error, jobId }, 'import failed')
    const message =
      error instanceof Problem ? error.message : 'Something failed on the server. Entries imported so far are kept.'
    if (row)
      await updateImportState(services, row, ['uploaded', 'reading', 'running'], {
        // Without an archive, there is nothing to resume.
        state: row.state === 'reading' && !existsSync(getImportPath(services, jobId)) ? 'cancelled' : 'failed',
        error: message,
        ...(row.state !== 'running' && { done: 0 }),
      }).catch((reason: unknown) =>
        services.log.error({ err: reason, jobId }, 'could not save the outcome of an import'),
      )
  }
}

/** Restores the state before the claim: an interrupted preview did not fail. */
async function releaseImport({ db, log }: Services, row: ImportRow): Promise<void> {
  await db
    .updateTable('import_jobs')
    .set({ lease_until: 0, ...(row.state === 'reading' && { state: 'uploaded' }) })
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .execute()
    .catch((error: unknown) => log.warn({ err: error, jobId: row.id }, 'could not release an import'))
}

async function runClaimedImport(services: Services, row: ImportRow, signal: AbortSignal): Promise<void> {
  if (row.state === 'reading' && !existsSync(getImportPath(services, row.id)))
    throw new Problem('unprocessable', {
      message: 'Keeper was restarted before it could read everything. Start this import again.',
    })
  if (row.state === 'reading' && row.done >= maxPreviewAttempts)
    throw new Problem('unprocessable', {
      message:
        'Keeper stopped more than once while reading this archive. The archive may be too large for this server.',
    })
  await ArchiveReader.withReader(await createArchiveJob(services, row), signal, async (archive) => {
    if (row.state === 'running') return importParts(services, row, archive, signal)
    const { preview, total } = archive
    const columns = { state: 'previewed', preview: json(preview), total, done: 0 } as const
    await updateImportState(services, row, ['uploaded', 'reading'], columns)
  })
}

async function withLease(services: Services, row: ImportRow, work: (row: ImportRow) => Promise<void>): Promise<void> {
  let lastRenewal: Promise<unknown> = Promise.resolve()
  const renewLease = () => {
    lastRenewal = services.db
      .updateTable('import_jobs')
      .set({ lease_until: services.now().getTime() + importLeaseMs })
      .where('id', '=', row.id)
      .where('state', 'in', ['reading', 'running'])
      .execute()
      .catch((error: unknown) =>
        services.log.warn({ err: error, jobId: row.id }, 'could not renew the lease of an import'),
      )
  }
  const timer = setInterval(renewLease, importLeaseMs / 3)
  timer.unref()
  try {
    await work(row)
  } finally {
    clearInterval(timer)
    // A late renewal would overwrite the release of the lease.
    await lastRenewal
  }
}

/**
 * Only the process that received an archive has it on disk. After an hour without progress, any process treats it as
 * lost.
 */
async function delegateToOtherProcess(services: Services, jobId: string): Promise<boolean> {
  const { bus, db, now } = services
  if (!bus.isOpen || existsSync(getImportPath(services, jobId))) return false
  const job = await db.selectFrom('import_jobs').select('updated_at').where('id', '=', jobId).executeTakeFirst()
  if (!job || job.updated_at < now().getTime() - remoteTimeoutMs) return false
  bus.send({ kind: 'import-wanted', jobId })
  return true
}

export function acceptRemoteImports(services: Services): () => void {
  return services.bus.on('import-wanted', ({ jobId }) => {
    if (existsSync(getImportPath(services, jobId))) void executeImport(services, jobId)
  })
}

async function claimImport({ db, now }: Services, jobId: string): Promise<ImportRow | undefined> {
  const claimedAt = now().getTime()
  return db
    .updateTable('import_jobs')
    .set((set) => ({
      lease_until: claimedAt + importLeaseMs,
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
    .where('lease_until', '<=', claimedAt)
    .returningAll()
    .executeTakeFirst()
}

async function createArchiveJob(services: Services, row: ImportRow): Promise<ArchiveJob> {
  const path = getImportPath(services, row.id)
  const timezone = await getPersonTimezone(services, row.owner_id)
  if (row.kind === 'keeper-zip') {
    const owner = { jobId: row.id, personId: row.owner_id, uploadedAt: row.created_at, timezone }
    return { kind: 'keeper-zip', path, owner }
  }
  const target =
    row.keeper_id === null
      ? undefined
      : await selectOwnKeepers(services.db, row.owner_id)
          .clearSelect()
          .select(['id', 'owner_id'])
          .where('id', '=', row.keeper_id)
          .executeTakeFirst()
  if (row.state === 'running' && !target)
    throw new Problem('unprocessable', { message: 'The keeper chosen for this import no longer exists.' })
  const importedIds = target ? await findImportedIds(services, target, row.kind) : new Map<string, string>()
  const existingSources = target ? await findExistingSources(services, target, row.kind) : new Map()
  const foreignImport = { jobId: row.id, kind: row.kind, target, importedIds, existingSources, timezone }
  return { kind: 'foreign', path, foreignImport }
}

async function importParts(
  services: Services,
  row: ImportRow,
  archive: ArchiveReader,
  signal: AbortSignal,
): Promise<void> {
  // The plan of another app's export omits imported entries, so all of its parts are still to do.
  const firstIndex = row.kind === 'keeper-zip' ? row.done : 0
  const omittedCount = row.done - firstIndex
  const total = omittedCount + archive.total
  const unpackContext = { zip: await ZipReader.open(getImportPath(services, row.id)), bytesWithoutRows: 0 }
  let preview = parseJsonColumn(row.preview)
  const notes = new ImportNotes()
  try {
    for (let nextIndex = firstIndex; nextIndex < archive.total; ) {
      // A small zip can hold texts of any length.
      await services.usage.requireSpace(row.owner_id)
      const batch = await archive.readParts(nextIndex, batchSize)
      if (batch.length === 0) throw new Error('The parts of an archive ended too early')
      const writes: Write[] = []
      const sentences: string[] = []
      let partCount = 0
      for (const part of batch) {
        signal.throwIfAborted()
        const context = { unpackContext, jobId: row.id, sourceKind: row.kind, sentences, notes }
        writes.push(...(await createWrites(services, context, part)))
        partCount += 1
        if (writes.length >= maxWrites) break
      }
      nextIndex += partCount
      if (sentences.length > 0) preview = addNotes(preview, sentences)
      const changedPreview = sentences.length > 0 && preview && { preview: json(preview) }
      const progress = { done: omittedCount + nextIndex, total, ...changedPreview }
      await saveProgress(services, row, progress, writes)
      services.usage.add(row.owner_id, JSON.stringify(batch.slice(0, partCount)).length, writes.length)
      unpackContext.bytesWithoutRows = 0
    }
  } finally {
    unpackContext.zip.close()
  }
  const { notes: fileNotes } = notes.toPreview()
  if (fileNotes.length > 0) preview = addNotes(preview, fileNotes)
  for (const keeperId of archive.keeperIds) {
    signal.throwIfAborted()
    await indexPendingCards(services, keeperId)
  }
  const [keeperId] = archive.keeperIds
  await updateImportState(services, row, ['running'], {
    state: 'done',
    done: total,
    total,
    preview: preview && json(preview),
    ...(keeperId !== undefined && { keeper_id: keeperId }),
  })
  for (const id of archive.keeperIds) publishKeeperChanged(services, row.owner_id, id, 'keeper')
  await rm(getImportPath(services, row.id), { force: true })
}

const addNotes = (preview: ImportPreview | null, notes: readonly string[]): ImportPreview => {
  const current = preview ?? emptyPreview
  return { ...current, ...limitNotes([...new Set([...notes, ...current.notes])], current.moreNotes) }
}

async function createWrites(services: Services, context: PartContext, part: ImportPart): Promise<Write[]> {
  switch (part.kind) {
    case 'keeper':
      return createKeeperWrites(services, context, part)
    case 'entry':
      return createEntryWrites(services, context, part)
    case 'path':
      return createPathWrites(services, part)
    case 'sole':
      return createSoleWrites(services, part)
    case 'run':
      return createRunWrites(services, context, part)
    case 'source':
      return createSourceWrites(services, context, part)
    case 'moment':
      return createMomentWrites(services, context, part)
  }
}

/** Writes the parts and the progress atomically. @throws ImportStopped when the import was stopped */
async function saveProgress(
  services: Services,
  row: ImportRow,
  progress: Updateable<Schema['import_jobs']>,
  writes: Write[],
): Promise<void> {
  const now = services.now().getTime()
  const update = services.db
    .updateTable('import_jobs')
    .set({ ...progress, updated_at: now, lease_until: now + importLeaseMs })
    .where('id', '=', row.id)
    .where('state', '=', 'running')
  try {
    await services.db.batch([requireChanges(update), ...writes])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw new ImportStopped()
    throw error
  }
  services.live.publish(row.owner_id, { type: 'import-changed', jobId: row.id })
}
