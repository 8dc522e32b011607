import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ImportJob, mostImportBytes, mostImportInWords } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { orDiskFull } from '#server/db/disk-full.ts'
import { Problem } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { carryOutImport } from './carry-out-import.ts'
import { importPath, importView, requireImportFor } from './import-jobs.ts'
import { journalsIn } from './plan-day-one.ts'
import { ZipReader } from './zip-reader.ts'

/** Pending archives per person, to bound the disk space. */
const mostWaiting = 5
/** Bytes of uploads in flight, by person and id. A row can briefly exist before its upload leaves this map. */
const coming = new Map<string, Map<string, number>>()

/**
 * Stores a zip and starts its preview; nothing is imported yet.
 * @throws Problem 404; 409 with too many pending; 413; 422 for neither a Keeper nor a Day One archive; 507
 */
export async function uploadArchive(
  services: Services,
  person: Person,
  { fileName, keeperId }: { fileName: string; keeperId?: string | undefined },
  upload: Upload,
): Promise<ImportJob> {
  const { db, now, newId } = services
  const keeper = keeperId === undefined ? undefined : await requireKeeperFor(services, person, keeperId)
  const id = newId()
  const path = importPath(services, id)
  const comingOfPerson = coming.get(person.id) ?? new Map<string, number>()
  const ahead = new Map(comingOfPerson)
  // An upload of unknown length is cut off where the space ends.
  const bytesToCome = upload.declaredBytes ?? 0
  coming.set(person.id, comingOfPerson.set(id, bytesToCome))
  try {
    const room = await roomFor(services, person, ahead)
    if (bytesToCome > room) throw tooMuch(moreThanMayWait)
    const { bytes, sha256 } = await writeZip(path, upload, room)
    const kind = await kindOf(path)
    const at = now().getTime()
    await db
      .insertInto('import_jobs')
      .values({
        id,
        owner_id: person.id,
        keeper_id: kind === 'day-one' ? (keeper?.id ?? null) : null,
        kind,
        state: 'uploaded',
        file_name: fileName,
        bytes,
        sha256,
        total: 0,
        done: 0,
        created_at: at,
        updated_at: at,
        lease_until: at,
      })
      .execute()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    comingOfPerson.delete(id)
    if (comingOfPerson.size === 0) coming.delete(person.id)
  }
  // Not awaited: if this process dies, a sweep resumes it.
  void carryOutImport(services, id)
  return importView(await requireImportFor(services, person, id))
}

/** Bytes left for another archive. An upload in flight counts once, with or without its row. @throws Problem 409 */
async function roomFor({ db }: Services, person: Person, ahead: ReadonlyMap<string, number>): Promise<number> {
  const waiting = await db
    .selectFrom('import_jobs')
    .select(['id', 'bytes'])
    .where('owner_id', '=', person.id)
    .where('state', 'in', ['uploaded', 'reading', 'previewed', 'running', 'failed'])
    .execute()
  const all = new Map([...waiting.map(({ id, bytes }) => [id, Number(bytes)] as const), ...ahead])
  if (all.size >= mostWaiting) throw tooMuch(`You already have ${mostWaiting} imports waiting.`)
  return [...all.values()].reduce((left, bytes) => left - bytes, mostImportBytes)
}

const moreThanMayWait = `Together with the imports already waiting, this exceeds ${mostImportInWords}.`

function tooMuch(why: string): Problem {
  return new Problem('conflict', { message: `${why} Start them, or cancel one, and upload again.` })
}

async function writeZip(path: string, upload: Upload, room: number): Promise<{ bytes: number; sha256: string }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      if (bytes > room) done(tooMuch(moreThanMayWait))
      else done(null, chunk)
    },
  })
  try {
    await pipeline(
      Readable.fromWeb(upload.stream as Parameters<typeof Readable.fromWeb>[0]),
      count,
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    )
  } catch (error) {
    throw orDiskFull(error)
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function kindOf(path: string): Promise<'keeper-zip' | 'day-one'> {
  const zip = await ZipReader.open(path)
  try {
    if (zip.sizeOf('keeper.json') !== undefined) return 'keeper-zip'
    if (journalsIn(zip).length > 0) return 'day-one'
  } finally {
    zip.close()
  }
  throw new Problem('unprocessable', {
    message: 'This zip is neither a Keeper archive nor a Day One JSON export.',
  })
}
