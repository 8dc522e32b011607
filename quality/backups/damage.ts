import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefused, listFilesRecursively, type Manifest } from '../../server/db/backup-archive.ts'
import type { Engine } from '../../server/db/database.ts'
import { migrations } from '../../server/db/migrations/index.ts'
import { restoreBackup } from '../../server/db/restore.ts'
import { createFullDatabase, type DatabaseLocation, getNextSecond, hashContent } from './under-load.ts'

/** Damages a backup `damageCount` times by flipping a bit or truncating a file, then uses another key; each restore must be refused without changes. */
export async function restoreDamaged(
  engine: Engine,
  path: string,
  damageCount: number,
  restore: typeof restoreBackup = restoreBackup,
): Promise<string[]> {
  const problems: string[] = []
  const target = await createFullDatabase(engine)
  await target.db.close()
  const takeFingerprint = async () => JSON.stringify([await hashContent(target), listNames(target)])
  const fingerprint = await takeFingerprint()
  const attempt = async (description: string, keyFingerprint: string | null) => {
    const outcome = await restore(path, target, { migrations, now: getNextSecond(), keyFingerprint }).then(
      ({ movedPaths }) => Promise.all(movedPaths.map((filePath) => rm(filePath, { recursive: true, force: true }))),
      (error: unknown) => error as Error,
    )
    if (!(outcome instanceof BackupRefused)) problems.push(`${description} was not refused (${outcome})`)
  }
  for (const file of listDamages(await listFilesRecursively(path), damageCount)) {
    const filePath = join(path, file.name)
    const original = readFileSync(filePath)
    const damageText = damageFile(filePath, original, file.isTruncated)
    await attempt(`${file.name}, ${damageText},`, null)
    writeFileSync(filePath, original)
  }
  await attempt('another key', 'the fingerprint of another key')
  if ((await takeFingerprint()) !== fingerprint) problems.push('the previous data changed')
  await target.close()
  return problems
}

function* listDamages(files: string[], damageCount: number): Generator<{ name: string; isTruncated: boolean }> {
  for (let index = 0; index < damageCount; index++)
    yield { name: files[index % files.length] ?? '', isTruncated: index % 5 === 4 }
}

function damageFile(filePath: string, original: Buffer, isTruncated: boolean): string {
  if (original.length === 0) {
    writeFileSync(filePath, 'x')
    return 'longer'
  }
  const offset = Math.floor(Math.random() * original.length)
  if (isTruncated) {
    truncateSync(filePath, offset)
    return `truncated at ${offset}`
  }
  const bit = Math.floor(Math.random() * 8)
  const damagedBytes = Buffer.from(original)
  damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ (1 << bit)
  writeFileSync(filePath, damagedBytes)
  return `bit ${bit} of byte ${offset} flipped`
}

const listNames = ({ dataDir }: DatabaseLocation) =>
  readdirSync(dataDir, { recursive: true })
    .map(String)
    .filter((name) => !name.endsWith('.lock'))
    .sort()

export const restoreWithoutChecksums: typeof restoreBackup = async (path, settings, options) => {
  const text = readFileSync(join(path, 'manifest.json'), 'utf8')
  const manifestChecksum = readFileSync(join(path, 'manifest.sha256'), 'utf8')
  try {
    const manifest = JSON.parse(text) as Manifest
    for (const name of Object.keys(manifest.files)) manifest.files[name] = computeFileChecksum(join(path, name))
    const updatedText = JSON.stringify(manifest)
    writeFileSync(join(path, 'manifest.json'), updatedText)
    writeFileSync(join(path, 'manifest.sha256'), `${createHash('sha256').update(updatedText).digest('hex')}\n`)
    return await restoreBackup(path, settings, options)
  } finally {
    writeFileSync(join(path, 'manifest.json'), text)
    writeFileSync(join(path, 'manifest.sha256'), manifestChecksum)
  }
}

function computeFileChecksum(path: string) {
  return { bytes: statSync(path).size, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') }
}
