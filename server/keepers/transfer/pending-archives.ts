import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { type ImportJob, type ImportKind, maxImportBytes, maxImportLabel } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { type FileChecksum, writeWithChecksum } from '#server/db/backup-archive.ts'
import { mapDiskFull } from '#server/db/sqlite-failures.ts'
import { Problem } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { executeImport } from './execute-import.ts'
import { showImport } from './import-jobs.ts'
import { getImportPath, type ImportRow } from './import-state.ts'
import { ZipReader } from './zip-reader.ts'

/** Pending archives per person, to bound the disk space. */
const maxPending = 5
/** Bytes of uploads in flight, by person and id. A row can briefly exist before its upload leaves this map. */
const uploadsInFlight = new Map<string, Map<string, number>>()

interface ArchiveReservation {
  availableBytes: number
  release(): void
}

/** Counts an archive as pending until its row is stored. @throws Problem 409 with too many or too large ones */
export async function reserveArchive(
  services: Services,
  person: Person,
  id: string,
  declaredBytes: number,
): Promise<ArchiveReservation> {
  const ownUploads = uploadsInFlight.get(person.id) ?? new Map<string, number>()
  const otherUploads = new Map(ownUploads)
  uploadsInFlight.set(person.id, ownUploads.set(id, declaredBytes))
  const release = () => {
    ownUploads.delete(id)
    if (ownUploads.size === 0) uploadsInFlight.delete(person.id)
  }
  try {
    const availableBytes = await getAvailableBytes(services, person, otherUploads)
    if (declaredBytes > availableBytes) throw createLimitProblem(quotaExceededText)
    return { availableBytes, release }
  } catch (error) {
    release()
    throw error
  }
}

/** An import whose archive is still to be read, and possibly fetched before that. */
export async function insertImport(
  { db, now }: Services,
  person: Person,
  columns: Pick<ImportRow, 'id' | 'keeper_id' | 'kind' | 'file_name' | 'bytes' | 'sha256'>,
): Promise<void> {
  const createdAt = now().getTime()
  const times = { created_at: createdAt, updated_at: createdAt, lease_until: createdAt }
  await db
    .insertInto('import_jobs')
    .values({ ...columns, ...times, owner_id: person.id, state: 'uploaded', total: 0, done: 0 })
    .execute()
}

/**
 * Bytes available for another archive. An upload in flight counts once, even after its row is stored.
 * @throws Problem 409
 */
async function getAvailableBytes(
  { db }: Services,
  person: Person,
  otherUploads: ReadonlyMap<string, number>,
): Promise<number> {
  const pendingJobs = await db
    .selectFrom('import_jobs')
    .select(['id', 'bytes'])
    .where('owner_id', '=', person.id)
    .where('state', 'in', ['uploaded', 'reading', 'previewed', 'running', 'failed'])
    .execute()
  const bytesById = new Map([...pendingJobs.map(({ id, bytes }) => [id, Number(bytes)] as const), ...otherUploads])
  if (bytesById.size >= maxPending) throw createLimitProblem(`You already have ${maxPending} imports waiting.`)
  return [...bytesById.values()].reduce((remainingBytes, bytes) => remainingBytes - bytes, maxImportBytes)
}

const quotaExceededText = `Together with the imports already waiting, this exceeds ${maxImportLabel}.`

function createLimitProblem(reason: string): Problem {
  return new Problem('conflict', { message: `${reason} Start them, or cancel one, and upload again.` })
}

/** @throws Problem 409 beyond `availableBytes`; 507 */
export async function writeArchive(path: string, source: Readable, availableBytes: number): Promise<FileChecksum> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return writeWithChecksum(source, path, (bytes) => {
    if (bytes > availableBytes) throw createLimitProblem(quotaExceededText)
  }).catch((error: unknown) => {
    throw mapDiskFull(error)
  })
}

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
    const kind = await detectImportKind(path)
    const keeper_id = kind === 'keeper-zip' ? null : (keeper?.id ?? null)
    await insertImport(services, person, { id, keeper_id, kind, file_name: fileName, bytes, sha256 })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    reservation.release()
  }
  // Not awaited: if this process dies, a sweep resumes the import.
  void executeImport(services, id)
  return showImport(services, person, id)
}

/** @throws Problem 422 for a file that no importer knows */
async function detectImportKind(path: string): Promise<ImportKind> {
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
