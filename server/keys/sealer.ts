import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Seals secrets so that a copy of the database is worth nothing without the master key. */
export interface Sealer {
  /** `belongsTo` is authenticated with the secret: a row moved to another owner does not open. */
  seal(secret: string, belongsTo: string): string
  open(sealed: string, belongsTo: string): string
  /** 256 bits as base64url that nobody without the master secret can make; the same each time, under a key of its own for each purpose. */
  derive(purpose: string, text: string): string
}

const version = 'v1'

/** AES-256-GCM; a sealed text is `v1.<iv>.<tag>.<cipher text>`, each base64url. */
export function createSealer(masterSecret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', masterSecret, 'keeper', 'provider keys v1', 32))
  return {
    seal(secret, belongsTo) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(Buffer.from(belongsTo))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return [version, iv, cipher.getAuthTag(), sealed]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.')
    },
    open(sealed, belongsTo) {
      const [found, iv, tag, text] = sealed.split('.')
      if (found !== version || !iv || !tag || text === undefined) throw new Error('a sealed key has an unknown form')
      // Without the length a tag cut to four bytes would do.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(belongsTo))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8')
    },
    derive(purpose, text) {
      const ofPurpose = Buffer.from(hkdfSync('sha256', masterSecret, 'keeper', `derived ${purpose} v1`, 32))
      return createHmac('sha256', ofPurpose).update(text).digest('base64url')
    },
  }
}

/** `KEEPER_SECRET`, else the file made on the first start, readable by its owner only. */
export async function readMasterSecret(secret: string | null, dataDir: string): Promise<string> {
  if (secret) return secret
  const path = join(dataDir, 'master.key')
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(dataDir, { recursive: true })
  // Not by process id: in two containers over one folder both are number 1.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  // A hard link is made once: when two processes start at the same moment, both end up with the first one's key.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readFile(path, 'utf8')).trim()
}

/**
 * The secrets beside the one in use under which something may be sealed while it is being rotated, by this process or
 * another: the one in the file, the one about to be, and the one just replaced. None where the secret is a setting.
 */
export async function secretsOfRotation(secret: string | null, dataDir: string): Promise<string[]> {
  if (secret) return []
  const names = await readdir(dataDir).catch(() => [])
  // By time, as they are named.
  const before = names
    .filter((name) => name.startsWith('master.key.before-'))
    .toSorted()
    .at(-1)
  const found = await Promise.all(
    ['master.key', 'master.key.next', before].map((name) =>
      name === undefined ? '' : readFile(join(dataDir, name), 'utf8').catch(() => ''),
    ),
  )
  return found.map((text) => text.trim()).filter((text) => text !== '')
}
