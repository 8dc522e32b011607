import type { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { maxMediaBytes } from '#contract/keepers/media.ts'
import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { executeImport } from './execute-import.ts'
import { showImport } from './import-jobs.ts'
import { type ForeignObject, toList, toNumber, toObject, toText } from './importers/foreign-values.ts'
import { MemosFailure, type MemosLogin, MemosServer } from './memos-server.ts'
import { insertImport, reserveArchive, writeArchive } from './pending-archives.ts'

const connectTimeoutMs = 60_000
const fetchTimeoutMs = 4 * hourMs

/**
 * Reads a person's memos into an archive, which is then previewed and imported like an uploaded one.
 * @throws Problem 400 at `address` or `token`; 409 with too many pending
 */
export async function importFromMemos(services: Services, person: Person, login: MemosLogin): Promise<ImportJob> {
  const id = services.newId()
  const reservation = await reserveArchive(services, person, id, 0)
  try {
    const server = await MemosServer.connect(services, login, AbortSignal.timeout(connectTimeoutMs)).catch(
      (error: unknown) => {
        throw error instanceof MemosFailure ? badField(error.field, error.message, error) : error
      },
    )
    const columns = { kind: 'memos', keeper_id: null, file_name: server.host, bytes: 0, sha256: '' } as const
    await insertImport(services, person, { id, ...columns })
    void executeImport(services, id, (path, signal) =>
      writeMemos(server, { path, maxBytes: reservation.availableBytes }, signal),
    )
  } finally {
    reservation.release()
  }
  return showImport(services, person, id)
}

/** @throws Problem 409 beyond `maxBytes`; 422 when the server fails */
async function writeMemos(
  server: MemosServer,
  { path, maxBytes }: { path: string; maxBytes: number },
  stopSignal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const writeController = new AbortController()
  const signal = AbortSignal.any([stopSignal, writeController.signal, AbortSignal.timeout(fetchTimeoutMs)])
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  let failure: Error | undefined
  // Errors are handled below; without a listener, one before the file is open would end the process.
  output.on('error', () => {})
  const filling = fillZip(zip, server, signal).catch((error: Error) => {
    failure = error
    output.destroy(error)
  })
  try {
    return await writeArchive(path, output, maxBytes)
  } catch (error) {
    if (failure instanceof MemosFailure)
      throw new Problem('unprocessable', { message: failure.message, cause: failure })
    throw failure ?? error
  } finally {
    writeController.abort()
    await filling
  }
}

async function fillZip(zip: ZipFile, server: MemosServer, signal: AbortSignal): Promise<void> {
  const addedPaths = new Set<string>()
  let pageCount = 0
  for await (const memos of server.listMemos(signal)) {
    if (memos.length === 0 && pageCount > 0) continue
    pageCount += 1
    const archivedMemos: ForeignObject[] = []
    for (const memo of memos) archivedMemos.push(await addFiles(zip, { server, addedPaths, signal }, memo))
    const name = `memos-${String(pageCount).padStart(6, '0')}.json`
    zip.addBuffer(Buffer.from(JSON.stringify({ memos: archivedMemos })), name)
  }
  zip.end()
}

interface FileContext {
  server: MemosServer
  addedPaths: Set<string>
  signal: AbortSignal
}

/** Adds the attachments of a memo at the paths where the importer looks for them. */
async function addFiles(zip: ZipFile, context: FileContext, memo: ForeignObject): Promise<ForeignObject> {
  const archivedMemo: ForeignObject = { ...memo }
  for (const key of ['attachments', 'resources']) {
    const attachments: unknown[] = []
    for (const value of toList(memo[key])) attachments.push(await addFile(zip, context, value))
    if (attachments.length > 0) archivedMemo[key] = attachments
  }
  return archivedMemo
}

/** An attachment that the server doesn't have stays missing. */
async function addFile(zip: ZipFile, { server, addedPaths, signal }: FileContext, value: unknown): Promise<unknown> {
  const attachment = toObject(value)
  if (!attachment || toText(attachment.externalLink) !== undefined) return value
  const filename = (toText(attachment.filename) ?? '').replace(/[\\/\0]/g, '_').normalize('NFC')
  const path = `attachments/${toText(attachment.name)?.split('/').at(-1)}/${filename}`
  const isTooLarge = (toNumber(attachment.size) ?? 0) > maxMediaBytes
  if (!addedPaths.has(path) && !isTooLarge && isSafeName(filename)) {
    const stream = await server.openFile(attachment, signal)
    if (stream) {
      addedPaths.add(path)
      zip.addReadStream(stream, path, { compress: false })
      await finished(stream, { signal })
    }
  }
  return { ...attachment, filename }
}

const maxFileNameBytes = 499

const isSafeName = (name: string) =>
  name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= maxFileNameBytes
