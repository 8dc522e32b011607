import { rename, rm } from 'node:fs/promises'
import type { Services } from '#server/services.ts'
import { getImportPath, type ImportRow, ImportStopped, updateImportState } from './import-state.ts'

/** Writes an archive to a path, until the signal aborts. */
export type FetchArchive = (path: string, signal: AbortSignal) => Promise<{ bytes: number; sha256: string }>

/** Interval for checking whether the import was stopped. */
const stopCheckMs = 1000

/**
 * Fetches the archive of a claimed import, which can then be read like an uploaded one.
 * @throws ImportStopped when the import was stopped
 */
export async function storeFetchedArchive(
  services: Services,
  row: ImportRow,
  fetchArchive: FetchArchive,
  signal: AbortSignal,
): Promise<void> {
  // Named like an upload without a row, so that the sweep deletes the partial file of an interrupted fetch.
  const path = getImportPath(services, services.newId())
  const stopController = new AbortController()
  const timer = setInterval(async () => {
    const isActive = await isStillReading(services, row.id).catch(() => true)
    if (!isActive) stopController.abort()
  }, stopCheckMs)
  timer.unref()
  try {
    const columns = await fetchArchive(path, AbortSignal.any([signal, stopController.signal]))
    await rename(path, getImportPath(services, row.id))
    const lease_until = services.now().getTime()
    const isStored = await updateImportState(services, row, ['reading'], { ...columns, state: 'uploaded', lease_until })
    if (isStored) return
    stopController.abort()
    await rm(getImportPath(services, row.id), { force: true })
    throw new ImportStopped()
  } catch (error) {
    await rm(path, { force: true })
    throw stopController.signal.aborted ? new ImportStopped() : error
  } finally {
    clearInterval(timer)
  }
}

async function isStillReading({ db }: Services, id: string): Promise<boolean> {
  const row = await db.selectFrom('import_jobs').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state === 'reading'
}
