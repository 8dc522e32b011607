import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '#server/services.ts'

export interface Sealer {
  /** `binding` is authenticated, so a row moved to another owner can't be opened. */
  seal(secret: string, binding: string): string
  open(sealed: string, binding: string): string
  /** 256 deterministic bits as base64url, with a separate key per purpose; can't be forged without the master secret. */
  derive(purpose: string, text: string): string
}

const version = 'v1'

/** AES-256-GCM; a sealed text is `v1.<iv>.<tag>.<cipher text>`, each base64url. */
export function createSealer(masterSecret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', masterSecret, 'keeper', 'provider keys v1', 32))
  return {
    seal(secret, binding) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(Buffer.from(binding))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return [version, iv, cipher.getAuthTag(), sealed]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.')
    },
    open(sealed, binding) {
      const [sealedVersion, iv, tag, text] = sealed.split('.')
      if (sealedVersion !== version || !iv || !tag || text === undefined)
        throw new Error('a sealed text has an unknown form')
      // Without a required length, a truncated tag would be accepted.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(binding))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8')
    },
    derive(purpose, text) {
      const purposeKey = Buffer.from(hkdfSync('sha256', masterSecret, 'keeper', `derived ${purpose} v1`, 32))
      return createHmac('sha256', purposeKey).update(text).digest('base64url')
    },
  }
}

async function readRotationSecrets(secret: string | null, dataDir: string): Promise<string[]> {
  if (secret) return []
  const names = await readdir(dataDir).catch(() => [])
  const previousName = names
    .filter((name) => name.startsWith('master.key.before-'))
    .toSorted()
    .at(-1)
  const secretTexts = await Promise.all(
    ['master.key', 'master.key.next', previousName].map((name) =>
      name === undefined ? '' : readFile(join(dataDir, name), 'utf8').catch(() => ''),
    ),
  )
  return secretTexts.map((text) => text.trim()).filter((text) => text !== '')
}

export async function openSealed(
  { sealer, settings }: Pick<Services, 'sealer' | 'settings'>,
  sealed: string,
  binding: string,
): Promise<string | undefined> {
  try {
    return sealer.open(sealed, binding)
  } catch {
    for (const secret of await readRotationSecrets(settings.secret, settings.dataDir)) {
      try {
        return createSealer(secret).open(sealed, binding)
      } catch {
        // Sealed under another secret.
      }
    }
    return undefined
  }
}

type SealedTable = 'provider_keys' | 'model_services' | 'personal_tool_servers' | 'second_factors'

/** Seals a text for a column `sealed`. `afterWrite` seals it again if the secret was rotated during the write. */
export function sealForWrite(services: Services, table: SealedTable, text: string, binding: string) {
  const { sealer, db } = services
  const sealed = sealer.seal(text, binding)
  return {
    sealed,
    async afterWrite(): Promise<void> {
      if (services.sealer === sealer) return
      // The rotation may have missed this row.
      const resealed = services.sealer.seal(text, binding)
      await db.updateTable(table).set({ sealed: resealed }).where('sealed', '=', sealed).execute()
    },
  }
}

/** Binds a sealed text to its owner and tool server; moved to another row it can't be opened. */
export function toToolServerBinding({ owner_id: owner, id }: { owner_id: string; id: string }): string {
  return `${owner}|tool-server ${id}`
}

export const toSecondFactorBinding = (personId: string): string => `${personId}|second-factor`

export const toModelServiceBinding = (id: string): string => `platform|model-service ${id}`
