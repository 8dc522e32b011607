import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ImportJob, ImportKind } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { executeImport } from './execute-import.ts'
import { getImportPath, requireImportFor, toImportJob } from './import-jobs.ts'
import { insertImport, reserveArchive, writeArchive } from './pending-archives.ts'
import { ZipReader } from './zip-reader.ts'

/** @throws Problem 404; 409 with too many pending; 413; 422 for an unknown kind; 507 */
export async function uploadArchive(
  services: Services,
  person: Person,
  { fileName, keeperId }: { fileName: string; keeperId?: string | undefined },
  upload: Upload,
): Promise<ImportJob> {
  const keeper = keeperId === undefined ? undefined : await requireKeeperFor(services, person, keeperId)
  const id = services.newId()
  const path = getImportPath(services, id)
  // An upload of unknown length is aborted when the space is used up.
  const reservation = await reserveArchive(services, person, id, upload.declaredBytes ?? 0)
  try {
    const stream = Readable.fromWeb(upload.stream as Parameters<typeof Readable.fromWeb>[0])
    const { bytes, sha256 } = await writeArchive(path, stream, reservation.availableBytes)
    const kind = await detectKind(path)
    const keeper_id = kind === 'keeper-zip' ? null : (keeper?.id ?? null)
    await insertImport(services, person, { id, keeper_id, kind, file_name: fileName, bytes, sha256 })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    reservation.release()
  }
  // Not awaited: if this process dies, a sweep resumes it.
  void executeImport(services, id)
  return toImportJob(await requireImportFor(services, person, id))
}

/** @throws Problem 422 for a file that no importer knows */
async function detectKind(path: string): Promise<ImportKind> {
  // Loaded on first use: the parsers of all formats would slow every start.
  const { recognizeImport } = await import('./importers/index.ts')
  const zip = await ZipReader.open(path)
  try {
    const kind = await recognizeImport(zip)
    if (kind) return kind
  } finally {
    zip.close()
  }
  throw new Problem('unprocessable', {
    message: 'This zip is neither a Keeper archive nor an export that Keeper knows.',
  })
}
