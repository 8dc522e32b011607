import { randomBytes } from 'node:crypto'
import { copyFile, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '#server/http/problem.ts'
import { sealedFor } from '#server/keys/provider-keys.ts'
import { createSealer, type Sealer } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'

/**
 * Seals every stored key under a new secret: the given one where KEEPER_SECRET is set, else one made here, which
 * replaces the file in the data folder.
 */
export async function rotateSecret(services: Services, newSecret: string | null): Promise<string> {
  const { settings } = services
  if (!settings.secret) return rotateFile(services)
  if (!newSecret || newSecret.length < 32) {
    throw new Problem('conflict', {
      message:
        'KEEPER_SECRET is set here. Give its successor, 32 characters or more: KEEPER_NEW_SECRET=… npm run admin -- rotate-secret',
    })
  }
  const count = await sealEverythingUnder(services, createSealer(newSecret))
  return `${said(count)} sealed anew. Now set KEEPER_SECRET to the new secret and restart every process of this installation.`
}

async function rotateFile(services: Services): Promise<string> {
  const file = join(services.settings.dataDir, 'master.key')
  const next = `${file}.next`
  // A rotation that was cut off left its new secret here, and keys may already be sealed under it: it is finished first.
  const secret = (await textOf(next)) ?? randomBytes(32).toString('base64url')
  const before = await keepSecret(file, services.now())
  await writeFile(next, `${secret}\n`, { mode: 0o600 })
  await toDisk(next)
  const count = await sealEverythingUnder(services, createSealer(secret))
  await rename(next, file)
  await toDisk(services.settings.dataDir)
  return `${said(count)} sealed anew. The old secret is in ${before}: remove it once you have a new backup.`
}

/** Each under its own name: backups of before need theirs, however often it is rotated. Answers where it is. */
async function keepSecret(file: string, now: Date): Promise<string> {
  const kept = `${file}.before-${now.toISOString().replaceAll(/[-:.]/g, '')}`
  await copyFile(file, kept)
  return kept
}

async function sealEverythingUnder(services: Services, sealer: Sealer): Promise<number> {
  const before = services.sealer
  const count = await sealAgain(services, before, sealer)
  services.sealer = sealer
  // Somebody may have saved a key under the old secret meanwhile.
  return count + (await sealAgain(services, before, sealer))
}

async function sealAgain(services: Services, from: Sealer, to: Sealer): Promise<number> {
  const rows = await services.db.selectFrom('provider_keys').select(['id', 'owner', 'provider', 'sealed']).execute()
  const writes = rows.flatMap(({ id, owner, provider, sealed }) => {
    const belongsTo = sealedFor(owner, provider)
    if (opens(to, sealed, belongsTo)) return []
    const again = to.seal(from.open(sealed, belongsTo), belongsTo)
    return services.db
      .updateTable('provider_keys')
      .set({ sealed: again })
      .where('id', '=', id)
      .where('sealed', '=', sealed)
  })
  await services.db.batch(writes)
  return writes.length
}

function opens(sealer: Sealer, sealed: string, belongsTo: string): boolean {
  try {
    sealer.open(sealed, belongsTo)
    return true
  } catch {
    return false
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function toDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

const said = (count: number) => (count === 1 ? '1 key is' : `${count} keys are`)
