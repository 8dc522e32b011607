import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFile, syncFolder } from '#server/db/backup-archive.ts'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { readMasterSecret } from '#server/keys/master-key.ts'
import { toKeyBinding } from '#server/keys/provider-keys.ts'
import {
  createSealer,
  type Sealer,
  toModelServiceBinding,
  toSecondFactorBinding,
  toToolServerBinding,
} from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'

/** Reseals all keys under `newSecret`, or a generated one in the data folder. Serialized: concurrent secrets would differ. */
export async function rotateSecret(services: Services, newSecret: string | null): Promise<string> {
  return services.db.runExclusively(() =>
    services.settings.secret ? rotateSetting(services, newSecret) : rotateFile(services),
  )
}

export function syncSecret(services: Services): () => void {
  const { settings, bus, log } = services
  if (settings.secret) return () => undefined
  let lastReload = Promise.resolve()
  const reload = () => {
    lastReload = lastReload
      .then(() => reloadSecret(services))
      .catch((error: unknown) => log.error({ err: error }, 'could not switch to the rotated secret'))
  }
  const unsubscribe = bus.on('secret-changed', reload)
  const unsubscribeMissed = bus.onMissed(reload)
  return () => {
    unsubscribe()
    unsubscribeMissed()
  }
}

async function reloadSecret(services: Services): Promise<void> {
  const previousSealer = services.sealer
  const sealer = createSealer(await readMasterSecret(null, services.settings.dataDir))
  if (hasSameSecret(sealer, previousSealer)) return
  await resealEverything(services, previousSealer, sealer)
}

const hasSameSecret = (one: Sealer, other: Sealer) => one.derive('secret', 'same') === other.derive('secret', 'same')

async function rotateSetting(services: Services, newSecret: string | null): Promise<string> {
  if (!newSecret || newSecret.length < 32) {
    throw new Problem('conflict', {
      message:
        'KEEPER_SECRET is set. Pass a new secret of at least 32 characters: KEEPER_NEW_SECRET=… npm run admin -- rotate-secret',
    })
  }
  const outcome = await resealEverything(services, services.sealer, createSealer(newSecret))
  return `${formatOutcome(outcome)} Now set KEEPER_SECRET to the new secret and restart every process of this installation.`
}

async function rotateFile(services: Services): Promise<string> {
  const file = join(services.settings.dataDir, 'master.key')
  const nextFile = `${file}.next`
  // Resume an interrupted rotation first: keys may already be sealed under its secret.
  const secret = (await readTextFile(nextFile)) ?? (await writeSecret(nextFile))
  // Read from disk, since another process may have rotated after this one started.
  const currentSealer = createSealer(await readMasterSecret(null, services.settings.dataDir))
  const backupFile = await backUpSecret(file, services.now())
  await syncFile(nextFile)
  const outcome = await resealEverything(services, currentSealer, createSealer(secret))
  await rename(nextFile, file)
  await syncFolder(services.settings.dataDir)
  services.bus.send({ kind: 'secret-changed' })
  return `${formatOutcome(outcome)} The old secret is in ${backupFile}. Delete that file once you have a new backup.`
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
async function backUpSecret(file: string, now: Date, attempt = 0): Promise<string> {
  const backupFile = `${file}.before-${now.toISOString().replaceAll(/[-:.]/g, '')}${attempt ? `-${attempt}` : ''}`
  try {
    // Unlike a copy of the file, this sets no mode, which some file systems refuse.
    await writeFile(backupFile, await readFile(file), { mode: 0o600, flag: 'wx', flush: true })
    return backupFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return backUpSecret(file, now, attempt + 1)
  }
}

interface ResealOutcome {
  sealedCount: number
  lostCount: number
}

async function resealEverything(services: Services, previousSealer: Sealer, sealer: Sealer): Promise<ResealOutcome> {
  const firstPass = await resealTexts(services, previousSealer, sealer)
  services.sealer = sealer
  // A second pass for keys saved under the old secret during the first; later ones are resealed by their saver.
  const secondPass = await resealTexts(services, previousSealer, sealer)
  return { ...secondPass, sealedCount: firstPass.sealedCount + secondPass.sealedCount }
}

async function resealTexts(services: Services, from: Sealer, to: Sealer): Promise<ResealOutcome> {
  let lostCount = 0
  const writes = (await listSealedTexts(services)).flatMap(({ sealed, binding, write }) => {
    if (tryOpen(to, sealed, binding) !== undefined) return []
    const text = tryOpen(from, sealed, binding)
    if (text === undefined) {
      lostCount += 1
      return []
    }
    return write(to.seal(text, binding))
  })
  await services.db.batch(writes)
  return { sealedCount: writes.length, lostCount }
}

interface SealedText {
  sealed: string
  binding: string
  write(sealed: string): Write
}

async function listSealedTexts({ db }: Services): Promise<SealedText[]> {
  const [providerKeys, servers, modelServices, secondFactors] = await Promise.all([
    db.selectFrom('provider_keys').select(['id', 'owner', 'provider', 'sealed']).execute(),
    db.selectFrom('personal_tool_servers').select(['id', 'owner_id', 'sealed', 'sign_in_sealed']).execute(),
    db.selectFrom('model_services').select(['id', 'sealed']).execute(),
    db.selectFrom('second_factors').select(['person_id', 'sealed']).execute(),
  ])
  return [
    ...providerKeys.map(({ id, owner, provider, sealed }) => ({
      sealed,
      binding: toKeyBinding(owner, provider),
      write: (next: string) =>
        db.updateTable('provider_keys').set({ sealed: next }).where('id', '=', id).where('sealed', '=', sealed),
    })),
    ...modelServices.map(({ id, sealed }) => ({
      sealed,
      binding: toModelServiceBinding(id),
      write: (next: string) =>
        db.updateTable('model_services').set({ sealed: next }).where('id', '=', id).where('sealed', '=', sealed),
    })),
    ...secondFactors.map(({ person_id: personId, sealed }) => ({
      sealed,
      binding: toSecondFactorBinding(personId),
      write: (next: string) =>
        db
          .updateTable('second_factors')
          .set({ sealed: next })
          .where('person_id', '=', personId)
          .where('sealed', '=', sealed),
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
        return [{ sealed, binding: toToolServerBinding(server), write }]
      }),
    ),
  ]
}

function tryOpen(sealer: Sealer, sealed: string, binding: string): string | undefined {
  try {
    return sealer.open(sealed, binding)
  } catch {
    return undefined
  }
}

async function readTextFile(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const formatKeyCount = (count: number) => (count === 1 ? '1 key' : `${count} keys`)
const getVerb = (count: number) => (count === 1 ? 'is' : 'are')

function formatOutcome({ sealedCount, lostCount }: ResealOutcome): string {
  const summary = `${formatKeyCount(sealedCount)} ${getVerb(sealedCount)} re-encrypted.`
  if (lostCount === 0) return summary
  return `${summary} ${formatKeyCount(lostCount)} could not be decrypted with the old secret and ${getVerb(lostCount)} unchanged: enter the missing keys again under API Keys.`
}
