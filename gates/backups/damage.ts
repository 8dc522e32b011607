import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefused, listFilesRecursively, type Manifest } from '#server/db/backup-archive.ts'
import type { Engine } from '#server/db/database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { createFullDatabase, type DatabaseLocation, hashContent, nextSecond } from './under-load.ts'

/** Damages a backup file `times` times by flipping a bit or truncating, then uses another key; each restore must be refused without changes. */
export async function damage(
  engine: Engine,
  path: string,
  times: number,
  restore: typeof restoreBackup = restoreBackup,
): Promise<string[]> {
  const wrong: string[] = []
  const target = await createFullDatabase(engine)
  await target.db.close()
  const takeFingerprint = async () => JSON.stringify([await hashContent(target), namesIn(target)])
  const fingerprint = await takeFingerprint()
  const attempt = async (description: string, keyFingerprint: string | null) => {
    const outcome = await restore(path, target, { migrations, now: nextSecond(), keyFingerprint }).then(
      ({ movedPaths }) => Promise.all(movedPaths.map((filePath) => rm(filePath, { recursive: true, force: true }))),
      (error: unknown) => error as Error,
    )
    if (!(outcome instanceof BackupRefused)) wrong.push(`${description} was not refused (${outcome})`)
  }
  for (const file of damages(await listFilesRecursively(path), times)) {
    const filePath = join(path, file.name)
    const whole = readFileSync(filePath)
    const damageText = harm(filePath, whole, file.cut)
    await attempt(`${file.name}, ${damageText},`, null)
    writeFileSync(filePath, whole)
  }
  await attempt('another key', 'the fingerprint of another key')
  if ((await takeFingerprint()) !== fingerprint) wrong.push('the previous data changed')
  await target.close()
  return wrong
}

function* damages(files: string[], times: number): Generator<{ name: string; cut: boolean }> {
  for (let time = 0; time < times; time++) yield { name: files[time % files.length] ?? '', cut: time % 5 === 4 }
}

function harm(filePath: string, whole: Buffer, cut: boolean): string {
  if (whole.length === 0) {
    writeFileSync(filePath, 'x')
    return 'longer'
  }
  const at = Math.floor(Math.random() * whole.length)
  if (cut) {
    truncateSync(filePath, at)
    return `truncated at ${at}`
  }
  const bit = Math.floor(Math.random() * 8)
  const broken = Buffer.from(whole)
  broken[at] = (broken[at] ?? 0) ^ (1 << bit)
  writeFileSync(filePath, broken)
  return `bit ${bit} of byte ${at} flipped`
}

const namesIn = ({ dataDir }: DatabaseLocation) =>
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
    const renewed = JSON.stringify(manifest)
    writeFileSync(join(path, 'manifest.json'), renewed)
    writeFileSync(join(path, 'manifest.sha256'), `${createHash('sha256').update(renewed).digest('hex')}\n`)
    return await restoreBackup(path, settings, options)
  } finally {
    writeFileSync(join(path, 'manifest.json'), text)
    writeFileSync(join(path, 'manifest.sha256'), manifestChecksum)
  }
}

function computeFileChecksum(path: string) {
  return { bytes: statSync(path).size, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') }
}
