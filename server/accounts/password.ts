import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Services } from '#server/services.ts'
import { AskedThread } from '#server/threads/asked-thread.ts'
import { threadFile } from '#server/threads/thread-start.ts'
import { type Asker, HashQueue } from './hash-queue.ts'
import type { HashJob } from './hash-thread.ts'

type Paying = Pick<Services, 'settings'>
const tagLength = 32
/** Leaves one core free where there are two. */
const hashesAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const queue = new HashQueue(hashesAtOnce)
const argon2id = promisify(argon2)
type Parameters = HashJob['parameters']
let patient: AskedThread<HashJob, Uint8Array> | undefined
const nobodySuspected: Asker = { address: '', isSuspected: false }

/** Suspected clients are hashed in a low-priority thread. */
async function derive(password: string, nonce: Buffer, parameters: Parameters, asker: Asker): Promise<Uint8Array> {
  const message = Buffer.from(password.normalize('NFC'))
  if (!asker.isSuspected) return await argon2id('argon2id', { message, nonce, ...parameters })
  if (!patient || patient.isGone) patient = new AskedThread(threadFile('hash-thread', import.meta.url))
  const counted = patient.ask({ message, nonce, parameters })
  message.fill(0)
  return await counted
}

/** A PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export function hashPassword({ settings }: Paying, password: string, asker = nobodySuspected): Promise<string> {
  const cost = settings.passwordCost
  return queue.inTurn(asker, async () => {
    const salt = randomBytes(16)
    const hash = Buffer.from(await derive(password, salt, { ...cost, tagLength }, asker))
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
  })
}

export function isPassword(password: string, phc: string, asker = nobodySuspected): Promise<boolean> {
  return queue.inTurn(asker, async () => {
    const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc)
    if (!match) throw new Error('a stored password hash is not readable')
    const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
    const expected = Buffer.from(match[5] as string, 'base64')
    const parameters = { memory, passes, parallelism, tagLength: expected.length }
    const actual = await derive(password, Buffer.from(match[4] as string, 'base64'), parameters, asker)
    return timingSafeEqual(actual, expected)
  })
}

/** Takes as long as a comparison, so that timing doesn't reveal whether an account exists. */
export async function hashForTiming({ settings }: Paying, password: string, asker = nobodySuspected): Promise<void> {
  const parameters = { ...settings.passwordCost, tagLength }
  await queue.inTurn(asker, () => derive(password, Buffer.alloc(16), parameters, asker))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
