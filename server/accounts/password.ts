import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { badField, type Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { JobThread } from '#server/threads/job-thread.ts'
import { getThreadFile } from '#server/threads/thread-file.ts'
import { type HashClient, HashQueue } from './hash-queue.ts'
import type { HashJob } from './hash-thread.ts'
import type { Person } from './person.ts'

type PasswordSettings = Pick<Services, 'settings'>
const tagLength = 32
/** Stored for an account without a password: no password matches it, and checking one takes as long as usual. */
export const noPasswordHash = `none$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
/** Memory, passes, parallelism, salt and hash of a PHC string or of {@link noPasswordHash}. */
const storedHashPattern = /^(?:none)?\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/
const hashConcurrency = Math.max(1, Math.min(2, availableParallelism() - 1))
const hashQueue = new HashQueue(hashConcurrency)
const argon2id = promisify(argon2)
type Argon2Parameters = HashJob['parameters']
/** Suspected clients get a thread of the lowest priority, so that their guesses don't slow others down. */
let suspectedThread: JobThread<HashJob, Uint8Array> | undefined
const trustedClient: HashClient = { address: '', isSuspected: false }

async function deriveHash(
  password: string,
  nonce: Buffer,
  parameters: Argon2Parameters,
  client: HashClient,
): Promise<Uint8Array> {
  const message = Buffer.from(password.normalize('NFC'))
  if (!client.isSuspected) return await argon2id('argon2id', { message, nonce, ...parameters })
  if (!suspectedThread || suspectedThread.hasEnded)
    suspectedThread = new JobThread(getThreadFile('hash-thread', import.meta.url))
  const derived = suspectedThread.run({ message, nonce, parameters })
  message.fill(0)
  return await derived
}

/** A PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export function hashPassword(
  { settings }: PasswordSettings,
  password: string,
  client = trustedClient,
): Promise<string> {
  const cost = settings.passwordCost
  return hashQueue.run(client, async () => {
    const salt = randomBytes(16)
    const hash = Buffer.from(await deriveHash(password, salt, { ...cost, tagLength }, client))
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(hash)}`
  })
}

export function verifyPassword(password: string, phc: string, client = trustedClient): Promise<boolean> {
  return hashQueue.run(client, async () => {
    const match = storedHashPattern.exec(phc)
    if (!match) throw new Error('a stored password hash is not readable')
    const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
    const expected = Buffer.from(match[5] as string, 'base64')
    const parameters = { memory, passes, parallelism, tagLength: expected.length }
    const actual = await deriveHash(password, Buffer.from(match[4] as string, 'base64'), parameters, client)
    return timingSafeEqual(actual, expected)
  })
}

/** Takes as long as a comparison, so that timing doesn't reveal whether an account exists. */
export async function hashForTiming(
  { settings }: PasswordSettings,
  password: string,
  client = trustedClient,
): Promise<void> {
  const parameters = { ...settings.passwordCost, tagLength }
  await hashQueue.run(client, () => deriveHash(password, Buffer.alloc(16), parameters, client))
}

function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

let commonPasswords: Set<string> | undefined

export async function isCommonPassword(password: string): Promise<boolean> {
  if (!commonPasswords) {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    commonPasswords = new Set((dictionary as unknown as { 'passwords-common': string[] })['passwords-common'])
  }
  return commonPasswords.has(password.toLowerCase())
}

/** @throws Problem 400 naming the field */
export async function refuseCommonPassword(field: string, password: string): Promise<void> {
  if (await isCommonPassword(password))
    throw badField(field, 'This password is one of the most common ones. Choose another.')
}

const guessThrottle = { kind: 'change-password', limit: 10, windowMs: 15 * 60 * 1000 }

/** Returns the stored hash, so that the next write can require that it hasn't changed.
 * @throws Problem 400 for a wrong password, 429 after ten attempts */
export async function requireCurrentPassword(
  services: Services,
  person: Pick<Person, 'id'>,
  field: string,
  password: string,
): Promise<string> {
  const currentHash = await findCurrentHash(services, person, password)
  if (currentHash === undefined) throw createWrongPasswordProblem(field)
  return currentHash
}

/** Like requireCurrentPassword, but undefined for a wrong password. @throws Problem 429 */
export async function findCurrentHash(
  services: Services,
  person: Pick<Person, 'id'>,
  password: string,
): Promise<string | undefined> {
  await requireAttempt(services, guessThrottle, person.id)
  const { password_hash } = await services.db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return (await verifyPassword(password, password_hash)) ? password_hash : undefined
}

export function createWrongPasswordProblem(field: string): Problem {
  return badField(field, 'This isn’t your current password.')
}
