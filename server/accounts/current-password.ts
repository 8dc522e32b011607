import { badField, Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { verifyPassword } from './password.ts'
import type { Person } from './person.ts'

const guessThrottle = { kind: 'change-password', limit: 10, windowMs: 15 * 60 * 1000 }

/** Returns the stored hash, to guard the next write. @throws Problem 400 for a wrong password, 429 after ten attempts */
export async function requireCurrentPassword(
  services: Services,
  person: Pick<Person, 'id'>,
  field: string,
  password: string,
): Promise<string> {
  const currentHash = await findCurrentHash(services, person, password)
  if (currentHash === undefined) throw wrongCurrentPassword(field)
  return currentHash
}

/** Like requireCurrentPassword, but undefined for a wrong password. @throws Problem 429 */
export async function findCurrentHash(
  services: Services,
  person: Pick<Person, 'id'>,
  password: string,
): Promise<string | undefined> {
  const attempts = await countAttempts(services, guessThrottle, person.id)
  if (!attempts.isWithinLimit) throw new Problem('too-many', { retryAfterSeconds: attempts.waitSeconds })
  const { password_hash } = await services.db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return (await verifyPassword(password, password_hash)) ? password_hash : undefined
}

export function wrongCurrentPassword(field: string): Problem {
  return badField(field, 'This isn’t your current password.')
}
