import { badField, Problem } from '#server/http/problem.ts'
import { countTry } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { isPassword } from './password.ts'
import type { Person } from './person.ts'

/** One count for everything that asks for the password again, or each would be ten more guesses. */
const guesses = { kind: 'change-password', limit: 10, windowMs: 15 * 60 * 1000 }

/**
 * Answers the hash it was compared with, for what is written then.
 * @throws Problem 400 naming the field when it is another password, 429 after ten tries in a quarter of an hour
 */
export async function requirePresentPassword(
  services: Services,
  person: Pick<Person, 'id'>,
  field: string,
  password: string,
): Promise<string> {
  const presentHash = await hashIfPresent(services, person, password)
  if (presentHash === undefined) throw notThePresentOne(field)
  return presentHash
}

/** The same, and `undefined` for another password. @throws Problem 429 after ten tries in a quarter of an hour */
export async function hashIfPresent(
  services: Services,
  person: Pick<Person, 'id'>,
  password: string,
): Promise<string | undefined> {
  const tries = await countTry(services, guesses, person.id)
  if (!tries.within) throw new Problem('too-many', { retryAfterSeconds: tries.waitSeconds })
  const { password_hash } = await services.db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return (await isPassword(password, password_hash)) ? password_hash : undefined
}

export function notThePresentOne(field: string): Problem {
  return badField(field, 'This is not your present password.')
}
