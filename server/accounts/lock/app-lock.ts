import { type AppLockSettings, maxUnlockAttempts } from '#contract/accounts/app-lock.ts'
import type { PasskeyResponse } from '#contract/accounts/passkey-messages.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { hasUsablePasskey } from '../passkeys/passkeys.ts'
import { verifyPasskey } from '../passkeys/verify-passkey.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import type { Person } from '../person.ts'
import { toProofPurpose } from '../proof.ts'
import { endSession } from '../sessions.ts'
import { hasPassword } from '../sign-in-methods.ts'

export async function readLockSettings(services: Services, personId: string): Promise<AppLockSettings> {
  const row = await services.db
    .selectFrom('people')
    .leftJoin('app_locks', 'app_locks.person_id', 'people.id')
    .select(['people.password_hash', 'app_locks.idle_minutes', 'app_locks.pin_hash'])
    .where('people.id', '=', personId)
    .executeTakeFirstOrThrow()
  return {
    minutes: row.idle_minutes,
    hasPin: row.pin_hash !== null,
    hasPassword: hasPassword(row.password_hash),
    hasPasskey: await hasUsablePasskey(services, personId),
  }
}

/** @throws Problem 400 if nothing would unlock the pages again */
export async function saveLockSettings(
  services: Services,
  person: Person,
  { minutes, pin }: { minutes: number | null; pin?: string | null | undefined },
): Promise<AppLockSettings> {
  const { db } = services
  const current = await readLockSettings(services, person.id)
  const hasPin = pin === undefined ? current.hasPin : pin !== null
  if (minutes !== null && !hasPin && !current.hasPassword && !current.hasPasskey)
    throw badField('pin', 'Choose a PIN. Your account has no password to unlock with.')
  if (pin && isTrivialPin(pin)) throw badField('pin', 'This PIN is easy to guess. Choose another.')
  const pinHash = pin ? await hashPassword(services, pin) : null
  const auditWrite = insertAudit(services, {
    action: 'app-lock-changed',
    actor: person,
    personId: person.id,
    subject: minutes === null ? 'off' : `${minutes} min`,
  })
  if (minutes === null) {
    await db.batch([db.deleteFrom('app_locks').where('person_id', '=', person.id), auditWrite])
  } else {
    const changes = { idle_minutes: minutes, ...(pin !== undefined && { pin_hash: pinHash }) }
    await db.batch([
      db
        .insertInto('app_locks')
        .values({ person_id: person.id, idle_minutes: minutes, pin_hash: pinHash })
        .onConflict((conflict) => conflict.column('person_id').doUpdateSet(changes)),
      auditWrite,
    ])
  }
  services.live.publish(person.id, { type: 'account-changed' })
  return readLockSettings(services, person.id)
}

/** One digit repeated, or a run such as 123456. */
function isTrivialPin(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index]))
  return [0, 1, -1].some((step) => steps.every((actual) => actual === step))
}

/** Idempotent. @throws Problem 422 without an app lock, since nothing could unlock the session again */
export async function lockSession(services: Services, person: Person): Promise<void> {
  const isLocked = await services.db.batchUnlessChanged([
    requireChanges(
      services.db
        .updateTable('sessions')
        .set({ locked_at: services.now().getTime() })
        .where('id', '=', person.sessionId)
        .where((where) =>
          where.exists(where.selectFrom('app_locks').select('person_id').where('person_id', '=', person.id)),
        ),
    ),
  ])
  if (!isLocked) throw new Problem('unprocessable', { message: 'Set up the app lock in your profile first.' })
  services.sessions.forgetSession(person.sessionId)
  // Streams of the session check whether they may go on.
  services.live.publish(person.id, { type: 'session-locked' })
}

/** @throws Problem 400 for a wrong PIN or password; after five, the session has ended */
export async function unlockSession(services: Services, person: Person, proof: UnlockProof): Promise<void> {
  const { db } = services
  if (!proof.pin && !proof.password && !proof.passkey) throw badField('pin', 'Enter your PIN or your password.')
  // Counted before the check, so that concurrent requests can't exceed the limit.
  const session = await db
    .updateTable('sessions')
    .set((set) => ({ wrong_unlocks: set('wrong_unlocks', '+', 1) }))
    .where('id', '=', person.sessionId)
    .returning('wrong_unlocks')
    .executeTakeFirst()
  if (!session) throw new Problem('not-signed-in')
  const { wrong_unlocks: attempts } = session
  const outcome = attempts <= maxUnlockAttempts ? await checkProof(services, person, proof) : 'wrong'
  if (outcome === 'right') {
    await db
      .updateTable('sessions')
      .set({ locked_at: null, wrong_unlocks: 0 })
      .where('id', '=', person.sessionId)
      .execute()
    services.sessions.forgetSession(person.sessionId)
    return
  }
  if (attempts >= maxUnlockAttempts) {
    await db.batch([insertAudit(services, { action: 'too-many-wrong-passwords', actor: null, personId: person.id })])
    await endSession(services, person)
    throw new Problem('not-signed-in', { message: 'Too many wrong attempts, so you were signed out.' })
  }
  if (outcome instanceof Problem) throw outcome
  const remainingAttempts = maxUnlockAttempts - attempts
  const remainingText = remainingAttempts === 1 ? 'One try is left' : `${remainingAttempts} tries are left`
  throw badField(proof.pin ? 'pin' : 'password', `That isn’t right. ${remainingText}, then you’re signed out here.`)
}

interface UnlockProof {
  pin?: string | undefined
  password?: string | undefined
  passkey?: PasskeyResponse | undefined
}

/** Returns the problem of a refused passkey, which names the reason. */
async function checkProof(
  services: Services,
  person: Person,
  proof: UnlockProof,
): Promise<'right' | 'wrong' | Problem> {
  try {
    return (await isProven(services, person, proof)) ? 'right' : 'wrong'
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

async function isProven(services: Services, person: Person, { pin, password, passkey }: UnlockProof): Promise<boolean> {
  if (passkey) {
    const { write } = await verifyPasskey(services, toProofPurpose(person), passkey, person.id)
    await services.db.batch([write])
    return true
  }
  const row = await services.db
    .selectFrom('people')
    .leftJoin('app_locks', 'app_locks.person_id', 'people.id')
    .select(['people.password_hash', 'app_locks.pin_hash'])
    .where('people.id', '=', person.id)
    .executeTakeFirst()
  const [secret, hash] = pin ? [pin, row?.pin_hash] : [password ?? '', row?.password_hash]
  return !!hash && (await verifyPassword(secret, hash))
}
