import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataFolder } from '#server/db/data-folder.ts'

/** The key file can't be used until someone fixes the cause that the message names. */
export class MasterKeyUnusable extends Error {
  override readonly name = 'MasterKeyUnusable'
}

const emptyFileTimeoutMs = 2_000
const emptyFilePollMs = 20

/** KEEPER_SECRET, or the data folder's `master.key`, created if missing. @throws MasterKeyUnusable or DataFolderUnwritable */
export async function readMasterSecret(
  secret: string | null,
  dataDir: string,
  linkFile: typeof link = link,
): Promise<string> {
  if (secret) return secret
  const path = join(dataDir, 'master.key')
  const existingKey = await readKey(path)
  if (existingKey !== undefined) return existingKey
  createDataFolder(dataDir)
  try {
    await createKey(path, linkFile)
  } catch (error) {
    throw toUnusableError(path, 'created', error)
  }
  const createdKey = await readKey(path)
  if (createdKey === undefined) throw toUnusableError(path, 'read', { code: 'ENOENT' })
  return createdKey
}

/** If two processes start concurrently, both use the first one's key: linking and `wx` are atomic. */
async function createKey(path: string, linkFile: typeof link): Promise<void> {
  const key = `${randomBytes(32).toString('base64url')}\n`
  // Random, because processes in two containers can share both folder and process id.
  const draftPath = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draftPath, key, { mode: 0o600, flush: true })
    await linkFile(draftPath, path)
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (syscall !== 'link') throw error
    // exFAT, NTFS and some network shares have no hard links.
    await writeFile(path, key, { mode: 0o600, flag: 'wx', flush: true }).catch(ignoreExisting)
  } finally {
    await rm(draftPath, { force: true })
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Undefined if there is no file. One that another process created with `wx` is empty for a moment. */
async function readKey(path: string): Promise<string | undefined> {
  const deadline = performance.now() + emptyFileTimeoutMs
  for (;;) {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw toUnusableError(path, 'read', error)
    })
    const key = text?.trim()
    if (key !== '') return key
    if (performance.now() > deadline)
      throw new MasterKeyUnusable(
        `The key file ${path} is empty. Put your copy of it back. Without one, delete the file: a new key is created, and provider keys must be entered again.`,
      )
    await new Promise((resolve) => setTimeout(resolve, emptyFilePollMs))
  }
}

function toUnusableError(path: string, action: string, error: unknown): MasterKeyUnusable {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return new MasterKeyUnusable(
    `The key file ${path} can’t be ${action} (${code}). Give the account that runs Keeper access to it.`,
    { cause: error },
  )
}
