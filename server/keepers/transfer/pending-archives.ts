import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { maxImportBytes, maxImportLabel } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { mapDiskFull } from '#server/db/disk-full.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { ImportRow } from './import-jobs.ts'

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
  bytesToCome: number,
): Promise<ArchiveReservation> {
  const ownUploads = uploadsInFlight.get(person.id) ?? new Map<string, number>()
  const otherUploads = new Map(ownUploads)
  uploadsInFlight.set(person.id, ownUploads.set(id, bytesToCome))
  const release = () => {
    ownUploads.delete(id)
    if (ownUploads.size === 0) uploadsInFlight.delete(person.id)
  }
  try {
    const availableBytes = await getAvailableBytes(services, person, otherUploads)
    if (bytesToCome > availableBytes) throw createLimitProblem(quotaExceededText)
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
  const at = now().getTime()
  const times = { created_at: at, updated_at: at, lease_until: at }
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
export async function writeArchive(
  path: string,
  source: Readable,
  availableBytes: number,
): Promise<{ bytes: number; sha256: string }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const byteCounter = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      if (bytes > availableBytes) done(createLimitProblem(quotaExceededText))
      else done(null, chunk)
    },
  })
  try {
    await pipeline(source, byteCounter, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  } catch (error) {
    throw mapDiskFull(error)
  }
  return { bytes, sha256: hash.digest('hex') }
}
