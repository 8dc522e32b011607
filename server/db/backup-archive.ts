import { createHash, hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Engine } from './engine-driver.ts'
import type { AppliedMigration } from './migrate.ts'

export type RefusalReason = 'damaged' | 'newer-version' | 'other-key' | 'other-processes' | 'other-disk'

export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
  readonly reason: RefusalReason
  constructor(message: string, reason: RefusalReason = 'damaged') {
    super(message)
    this.reason = reason
  }
}

export interface FileChecksum {
  bytes: number
  sha256: string
}

export interface Manifest {
  format: 1
  madeAt: string
  engine: Engine
  database: 'data.db' | 'rows.jsonl'
  migrations: AppliedMigration[]
  media: boolean
  keyFingerprint: string | null
  files: Record<string, FileChecksum>
}

export function formatTimestamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

export function computeKeyFingerprint(masterSecret: string): string {
  return hash('sha256', `keeper backup\n${masterSecret}`).slice(0, 16)
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`
  await writeSynced(join(folder, 'manifest.json'), text)
  await writeSynced(join(folder, 'manifest.sha256'), `${hash('sha256', text)}\n`)
}

export async function verifyArchive(folder: string, onRead: (bytes: number) => void = () => {}): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const paths = (await listFilesRecursively(folder)).filter(
    (path) => path !== 'manifest.json' && path !== 'manifest.sha256',
  )
  const unlistedPath = paths.find((path) => !(path in manifest.files))
  if (unlistedPath !== undefined)
    throw new BackupRefused(`The backup has a file that isn’t in its manifest: ${unlistedPath}`)
  for (const [path, expected] of Object.entries(manifest.files)) {
    const actual = await computeChecksum(join(folder, path)).catch(() => undefined)
    if (!actual) throw new BackupRefused(`The backup is incomplete: ${path} is missing`)
    if (actual.bytes !== expected.bytes || actual.sha256 !== expected.sha256)
      throw new BackupRefused(`The backup is damaged: ${path} has changed`)
    onRead(actual.bytes)
  }
  return manifest
}

export async function readManifest(folder: string): Promise<Manifest> {
  const readText = (name: string) =>
    readFile(join(folder, name), 'utf8').catch(() => {
      throw new BackupRefused(`${folder} isn’t a complete backup: it has no ${name}`)
    })
  const text = await readText('manifest.json')
  if (`${hash('sha256', text)}\n` !== (await readText('manifest.sha256')))
    throw new BackupRefused('The backup is damaged: manifest.json has changed')
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== 1)
    throw new BackupRefused(
      `The backup has format ${manifest.format}, which this version of Keeper doesn’t know. A newer version made it.`,
      'newer-version',
    )
  return manifest
}

export async function listFilesRecursively(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** The target must not exist; it is flushed to disk before this returns. */
export async function writeWithChecksum(
  source: Readable,
  to: string,
  checkSize: (bytes: number) => void = () => {},
): Promise<FileChecksum> {
  const hash = createHash('sha256')
  let bytes = 0
  const tap = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      checkSize(bytes)
      yield chunk
    }
  }
  await pipeline(source, tap, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }))
  return { bytes, sha256: hash.digest('hex') }
}

export const copyWithChecksum = (from: string, to: string): Promise<FileChecksum> =>
  writeWithChecksum(createReadStream(from), to)

export async function computeChecksum(path: string): Promise<FileChecksum> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

async function writeSynced(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true })
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  await handle.sync().finally(() => handle.close())
}

/** Makes renames in a folder durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
