import { hash } from 'node:crypto'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { hashToken, newToken } from '#server/values/token.ts'
import { openSession, requireOpenAccount } from '../sessions.ts'
import { rememberDevice } from './remembered-devices.ts'
import { verifyCode } from './verify-code.ts'

const lifetimeMs = 5 * 60 * 1000
const maxWrongCodes = 5
const maxPendingPerPerson = 20

const toFingerprint = (passwordHash: string) => hash('sha256', passwordHash, 'base64url')

/** Returns the problem that asks for a code. Its token completes the sign-in; the right password alone opens no session. */
export async function createPendingSignIn(
  services: Services,
  account: { id: string; password_hash: string },
): Promise<Problem> {
  const { db } = services
  const { token, hash: tokenHash } = newToken()
  const now = services.now().getTime()
  const personSignIns = db.selectFrom('pending_sign_ins').select('token_hash').where('person_id', '=', account.id)
  const newestHashes = personSignIns.orderBy('expires_at', 'desc').limit(maxPendingPerPerson - 1)
  await db.batch([
    db.deleteFrom('pending_sign_ins').where('person_id', '=', account.id).where('token_hash', 'not in', newestHashes),
    db.insertInto('pending_sign_ins').values({
      token_hash: tokenHash,
      person_id: account.id,
      password_fingerprint: toFingerprint(account.password_hash),
      wrong_codes: 0,
      expires_at: now + lifetimeMs,
    }),
  ])
  return new Problem('second-factor-needed', {
    data: { pending: { token, expiresAt: new Date(now + lifetimeMs).toISOString() } },
  })
}

/** @throws Problem 403 `sign-in-expired` after 5 minutes, 5 wrong codes, a use or a changed password; 400 for a wrong code */
export async function completePendingSignIn(
  services: Services,
  input: { pendingToken: string; code: string; remembersDevice?: boolean | undefined },
  device: string | null,
): Promise<SignInResult & { deviceToken: string | null }> {
  const { db } = services
  const tokenHash = hashToken(input.pendingToken)
  // Counted before the check, so that a burst gets no more than five tries.
  const pendingSignIn = await db
    .updateTable('pending_sign_ins')
    .set((row) => ({ wrong_codes: row('wrong_codes', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', services.now().getTime())
    .where('wrong_codes', '<', maxWrongCodes)
    .returning(['person_id', 'password_fingerprint'])
    .executeTakeFirst()
  if (!pendingSignIn) throw new Problem('sign-in-expired')
  const account = await db.selectFrom('people').selectAll().where('id', '=', pendingSignIn.person_id).executeTakeFirst()
  if (!account || toFingerprint(account.password_hash) !== pendingSignIn.password_fingerprint)
    throw new Problem('sign-in-expired')
  requireOpenAccount(services, account)
  const factor = await verifyCode(services, account.id, input.code)
  const user = { id: account.id, name: account.name, nickname: account.nickname, email: account.email }
  const method = `password+${factor}` as const
  const rememberedDevice = input.remembersDevice ? rememberDevice(services, account.id, device) : null
  try {
    const signInResult = await openSession(services, user, {
      method,
      device,
      passwordHash: account.password_hash,
      extraWrites: [
        requireChanges(db.deleteFrom('pending_sign_ins').where('token_hash', '=', tokenHash)),
        insertAudit(services, { action: 'signed-in', actor: user, personId: user.id, details: { method } }),
        ...(rememberedDevice?.writes ?? []),
      ],
    })
    return { ...signInResult, deviceToken: rememberedDevice?.token ?? null }
  } catch (error) {
    throw error instanceof UnexpectedChanges ? new Problem('sign-in-expired') : error
  }
}

export async function sweepPendingSignIns({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<', now().getTime()).execute()
}
