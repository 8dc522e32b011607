import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { PasswordCost } from '#server/settings.ts'

type Paying = Pick<Services, 'settings'>
const tagLength = 32
/** A core is left to everybody else, where there are two. */
const hashesAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const longestQueue = 50

let running = 0
interface Place {
  go(): void
  refuse(): void
}
/** By the address they come from, which have their turns one after the other: who asks most does not push the rest back. */
const waiting = new Map<string, Place[]>()
const placesOf = (address: string) => waiting.get(address) ?? []

/**
 * One or two hashes at once: each takes a core for tens of milliseconds, and a flood must not stop everything else.
 * Where too many wait, the address with the most waiting loses one.
 */
async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (running >= hashesAtOnce) await turnOf(address)
  else running++
  try {
    return await work()
  } finally {
    // The one that finishes hands its place on, so `running` stays as it is.
    const next = nextInTurn()
    if (next) next.go()
    else running--
  }
}

function turnOf(address: string): Promise<void> {
  const all = [...waiting.values()]
  if (all.reduce((sum, places) => sum + places.length, 0) >= longestQueue) {
    const [longest = []] = all.toSorted((a, b) => b.length - a.length)
    if (longest.length <= placesOf(address).length + 1) throw tooMany()
    longest.pop()?.refuse()
  }
  return new Promise((resolve, reject) => {
    waiting.set(address, [...placesOf(address), { go: resolve, refuse: () => reject(tooMany()) }])
  })
}

/** The first of the address whose turn it is, which then waits behind the others. */
function nextInTurn(): Place | undefined {
  const [address] = waiting.keys()
  if (address === undefined) return undefined
  const [first, ...rest] = placesOf(address)
  waiting.delete(address)
  if (rest.length > 0) waiting.set(address, rest)
  return first
}

const tooMany = () => new Problem('too-many', { retryAfterSeconds: 5 })

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
export function hashPassword({ settings }: Paying, password: string, address = ''): Promise<string> {
  const cost = settings.passwordCost
  return inTurn(address, async () => {
    const salt = randomBytes(16)
    const hash = await derive(password, salt, { ...cost, tagLength })
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
  })
}

export function isPassword(password: string, phc: string, address = ''): Promise<boolean> {
  return inTurn(address, async () => {
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
export async function pretendToCompare({ settings }: Paying, password: string, address = ''): Promise<void> {
  await inTurn(address, () => derive(password, Buffer.alloc(16), { ...settings.passwordCost, tagLength }))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
