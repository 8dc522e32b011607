import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Services } from '#server/services.ts'
import type { PasswordCost } from '#server/settings.ts'
import { type Asker, HashQueue } from './hash-queue.ts'

type Paying = Pick<Services, 'settings'>
const tagLength = 32
/** A core is left to everybody else, where there are two. */
const hashesAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const queue = new HashQueue(hashesAtOnce)
const nobodySuspected: Asker = { address: '', isSuspected: false }

function derive(password: string, salt: Buffer, parameters: PasswordCost & { tagLength: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message: Buffer.from(password.normalize('NFC')), nonce: salt, ...parameters },
      (error, hash) => (error ? reject(error) : resolve(hash)),
    )
  })
}

/** A PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export function hashPassword({ settings }: Paying, password: string, asker = nobodySuspected): Promise<string> {
  const cost = settings.passwordCost
  return queue.inTurn(asker, async () => {
    const salt = randomBytes(16)
    const hash = await derive(password, salt, { ...cost, tagLength })
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
  })
}

export function isPassword(password: string, phc: string, asker = nobodySuspected): Promise<boolean> {
  return queue.inTurn(asker, async () => {
    const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc)
    if (!match) throw new Error('a stored password hash is not readable')
    const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
    const expected = Buffer.from(match[5] as string, 'base64')
    const actual = await derive(password, Buffer.from(match[4] as string, 'base64'), {
      memory,
      passes,
      parallelism,
      tagLength: expected.length,
    })
    return timingSafeEqual(actual, expected)
  })
}

/** Spends the time of a comparison when there is no such account, so that time does not tell. */
export async function pretendToCompare({ settings }: Paying, password: string, asker = nobodySuspected): Promise<void> {
  await queue.inTurn(asker, () => derive(password, Buffer.alloc(16), { ...settings.passwordCost, tagLength }))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
