import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { sealedForModelService, sealedForToolServer } from '#server/keys/open-sealed.ts'
import { sealedFor } from '#server/keys/provider-keys.ts'
import { createSealer, readMasterSecret, type Sealer } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'

/** Reseals all keys under `newSecret`, or a generated one in the data folder. Serialized: concurrent secrets would differ. */
export async function rotateSecret(services: Services, newSecret: string | null): Promise<string> {
  return services.db.alone(() => (services.settings.secret ? rotateSetting(services, newSecret) : rotateFile(services)))
}

/** Adopts a secret rotated by another process and reseals what was saved here since; returns a disposer. */
export function keepSecretInStep(services: Services): () => void {
  const { settings, bus, log } = services
  if (settings.secret) return () => undefined
  let taking = Promise.resolve()
  const readAgain = () => {
    // Serialized: each reload reseals what the previous one left.
    taking = taking
      .then(() => takeSecret(services))
      .catch((error: unknown) => log.error({ err: error }, 'could not switch to the rotated secret'))
  }
  const stopHearing = bus.on('secret-changed', readAgain)
  const stopLooking = bus.onMissed(readAgain)
  return () => {
    stopHearing()
    stopLooking()
  }
}

async function takeSecret(services: Services): Promise<void> {
  const before = services.sealer
  const sealer = createSealer(await readMasterSecret(null, services.settings.dataDir))
  // Unchanged: possibly missed messages are no reason to read all keys.
  if (sealer.derive('secret', 'same') === before.derive('secret', 'same')) return
  await sealEverythingUnder(services, before, sealer)
}

async function rotateSetting(services: Services, newSecret: string | null): Promise<string> {
  if (!newSecret || newSecret.length < 32) {
    throw new Problem('conflict', {
      message:
        'KEEPER_SECRET is set. Pass its successor, 32 characters or more: KEEPER_NEW_SECRET=… npm run admin -- rotate-secret',
    })
  }
  const outcome = await sealEverythingUnder(services, services.sealer, createSealer(newSecret))
  return `${said(outcome)} Now set KEEPER_SECRET to the new secret and restart every process of this installation.`
}

async function rotateFile(services: Services): Promise<string> {
  const file = join(services.settings.dataDir, 'master.key')
  const next = `${file}.next`
  // Resume an interrupted rotation first: keys may already be sealed under its secret.
  const secret = (await textOf(next)) ?? (await writeSecret(next))
  // Read from disk, since another process may have rotated after this one started.
  const present = createSealer(await readMasterSecret(null, services.settings.dataDir))
  const before = await keepSecret(file, services.now())
  await toDisk(next)
  const outcome = await sealEverythingUnder(services, present, createSealer(secret))
  await rename(next, file)
  await toDisk(services.settings.dataDir)
  services.bus.send({ kind: 'secret-changed' })
  return `${said(outcome)} The old secret is in ${before}. Delete that file once you have a new backup.`
}

/** Never overwrites an existing secret: keys may already be sealed under it. */
async function writeSecret(file: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  // An empty file is from a write that was interrupted before anything was sealed.
  await rm(file, { force: true })
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return secret
}

/** Copies the secret to a unique name, since older backups still need it, and returns the path. */
async function keepSecret(file: string, now: Date, again = 0): Promise<string> {
  const kept = `${file}.before-${now.toISOString().replaceAll(/[-:.]/g, '')}${again ? `-${again}` : ''}`
  try {
    await copyFile(file, kept, constants.COPYFILE_EXCL)
    return kept
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return keepSecret(file, now, again + 1)
  }
}

interface Outcome {
  sealed: number
  /** Texts that neither secret opens; they are left unchanged. */
  lost: number
}

async function sealEverythingUnder(services: Services, before: Sealer, sealer: Sealer): Promise<Outcome> {
  const first = await sealAgain(services, before, sealer)
  services.sealer = sealer
  // A second pass for keys saved under the old secret during the first; later ones are resealed by their saver.
  const { sealed, lost } = await sealAgain(services, before, sealer)
  return { sealed: first.sealed + sealed, lost }
}

async function sealAgain(services: Services, from: Sealer, to: Sealer): Promise<Outcome> {
  let lost = 0
  const writes = (await sealedTexts(services)).flatMap(({ sealed, belongsTo, write }) => {
    if (opened(to, sealed, belongsTo) !== undefined) return []
    const text = opened(from, sealed, belongsTo)
    if (text === undefined) {
      lost += 1
      return []
    }
    return write(to.seal(text, belongsTo))
  })
  await services.db.batch(writes)
  return { sealed: writes.length, lost }
}

interface SealedText {
  sealed: string
  belongsTo: string
  write(sealed: string): Write
}

async function sealedTexts({ db }: Services): Promise<SealedText[]> {
  const [keys, servers, modelServices] = await Promise.all([
    db.selectFrom('provider_keys').select(['id', 'owner', 'provider', 'sealed']).execute(),
    db.selectFrom('personal_tool_servers').select(['id', 'owner_id', 'sealed', 'sign_in_sealed']).execute(),
    db.selectFrom('model_services').select(['id', 'sealed']).execute(),
  ])
  return [
    ...keys.map(({ id, owner, provider, sealed }) => ({
      sealed,
      belongsTo: sealedFor(owner, provider),
      write: (next: string) =>
        db.updateTable('provider_keys').set({ sealed: next }).where('id', '=', id).where('sealed', '=', sealed),
    })),
    ...modelServices.map(({ id, sealed }) => ({
      sealed,
      belongsTo: sealedForModelService(id),
      write: (next: string) =>
        db.updateTable('model_services').set({ sealed: next }).where('id', '=', id).where('sealed', '=', sealed),
    })),
    ...servers.flatMap((server) =>
      (['sealed', 'sign_in_sealed'] as const).flatMap((column) => {
        const sealed = server[column]
        if (sealed === null) return []
        const write = (next: string) =>
          db
            .updateTable('personal_tool_servers')
            .set({ [column]: next })
            .where('id', '=', server.id)
            .where(column, '=', sealed)
        return [{ sealed, belongsTo: sealedForToolServer(server), write }]
      }),
    ),
  ]
}

function opened(sealer: Sealer, sealed: string, belongsTo: string): string | undefined {
  try {
    return sealer.open(sealed, belongsTo)
  } catch {
    return undefined
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

const keys = (count: number) => (count === 1 ? '1 key' : `${count} keys`)
const are = (count: number) => (count === 1 ? 'is' : 'are')

function said({ sealed, lost }: Outcome): string {
  const anew = `${keys(sealed)} ${are(sealed)} re-encrypted.`
  if (lost === 0) return anew
  return `${anew} ${keys(lost)} could not be decrypted with the old secret and ${are(lost)} unchanged: enter the missing keys again under API Keys.`
}
