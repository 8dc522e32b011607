import type { SignInResult } from '#contract/accounts/accounts.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts, readAttempts, type Throttle } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { formatMinutes, hourMs } from '#server/values/time-units.ts'
import { hashForTiming, verifyPassword } from './password.ts'
import { createPendingSignIn } from './second-factor/pending-sign-in.ts'
import { isRememberedDevice } from './second-factor/remembered-devices.ts'
import { isSecondFactorEnabled } from './second-factor/second-factor.ts'
import { openSession, requireOpenAccount } from './sessions.ts'

const quarterHourMs = 15 * 60 * 1000
/** Limits audit entries per account: the audit trail is never emptied, and guessing could fill it. */
const auditThrottle: Throttle = { kind: 'wrong-password-audit', limit: 1, windowMs: hourMs }

/** The sign-ins from each address whose passwords aren't compared and counted yet. */
const uncountedSignIns = new Map<string, Set<Promise<unknown>>>()

/** Unknown emails and wrong passwords look alike. Limits are per account and address, so the right password works from another address. */
export async function signIn(
  services: Services,
  input: { email: string; password: string; deviceToken?: string | null | undefined },
  address: string,
  device: string | null = null,
): Promise<SignInResult> {
  const normalizedEmail = input.email.trim().toLowerCase()
  const accountThrottle: Throttle = {
    kind: 'sign-in',
    limit: services.settings.limits.signInPerAccount,
    windowMs: quarterHourMs,
    subKey: address,
  }
  const addressThrottle: Throttle = {
    kind: 'sign-in-address',
    limit: services.settings.limits.signInPerAddress,
    windowMs: quarterHourMs,
  }
  const createTooManyProblem = (throttle: Throttle, waitSeconds: number) => {
    const wait = `Try again in ${formatMinutes(Math.ceil(waitSeconds / 60))}`
    return new Problem('too-many', {
      message:
        throttle === accountThrottle
          ? `Too many wrong passwords. ${wait}, or reset your password.`
          : `Too many wrong passwords came from your network. ${wait}, or use another network.`,
      retryAfterSeconds: waitSeconds,
    })
  }
  const refuseTooMany = async () => {
    const forAccount = await readAttempts(services, accountThrottle, normalizedEmail)
    if (forAccount.count >= accountThrottle.limit) throw createTooManyProblem(accountThrottle, forAccount.waitSeconds)
    const fromAddress = await readAttempts(services, addressThrottle, address)
    if (fromAddress.count >= addressThrottle.limit) throw createTooManyProblem(addressThrottle, fromAddress.waitSeconds)
    return { isSuspected: fromAddress.count > 0 }
  }
  const findAccount = async () => {
    const client = { address, ...(await refuseTooMany()) }
    const account = await services.db
      .selectFrom('people')
      .selectAll()
      .where('email_folded', '=', normalizedEmail)
      .executeTakeFirst()
    if (!account) await hashForTiming(services, input.password, client)
    else if (await verifyPassword(input.password, account.password_hash, client)) return account
    const forAccount = await countAttempts(services, accountThrottle, normalizedEmail)
    const fromAddress = await countAttempts(services, addressThrottle, address)
    if (forAccount.count === accountThrottle.limit) await auditLockout(services, normalizedEmail, account?.id)
    // All requests of a burst pass the first check. Past the limit, right and wrong passwords get the same answer.
    if (!forAccount.isWithinLimit) throw createTooManyProblem(accountThrottle, forAccount.waitSeconds)
    if (!fromAddress.isWithinLimit) throw createTooManyProblem(addressThrottle, fromAddress.waitSeconds)
    throw new Problem('wrong-credentials')
  }
  const account = await countInOrder(address, findAccount)
  await refuseTooMany()
  requireOpenAccount(services, account)
  const isRemembered = !!input.deviceToken && (await isRememberedDevice(services, account.id, input.deviceToken))
  if (!isRemembered && (await isSecondFactorEnabled(services, account.id)))
    throw await createPendingSignIn(services, account)
  const user = { id: account.id, name: account.name, nickname: account.nickname, email: account.email }
  const auditEntry = { action: 'signed-in', actor: user, personId: user.id, details: { method: 'password' } } as const
  const extraWrites = [insertAudit(services, auditEntry)]
  try {
    return await openSession(services, user, { device, extraWrites, passwordHash: account.password_hash })
  } catch (error) {
    // The password changed or the account was deactivated during the comparison.
    throw error instanceof UnexpectedChanges ? new Problem('wrong-credentials') : error
  }
}

/** A right password waits for those sent before it, because they may use up the attempts. */
async function countInOrder<Account>(address: string, findAccount: () => Promise<Account>): Promise<Account> {
  const pending = uncountedSignIns.get(address) ?? new Set()
  const earlierSignIns = [...pending]
  const accountLookup = findAccount()
  uncountedSignIns.set(address, pending.add(accountLookup))
  try {
    const account = await accountLookup
    await Promise.allSettled(earlierSignIns)
    return account
  } finally {
    pending.delete(accountLookup)
    if (pending.size === 0) uncountedSignIns.delete(address)
  }
}

/** Audits the lockout of an account. Unknown accounts are counted, too, so that both take equally long. */
async function auditLockout(services: Services, normalizedEmail: string, personId: string | undefined): Promise<void> {
  const { isWithinLimit } = await countAttempts(services, auditThrottle, normalizedEmail)
  if (isWithinLimit && personId !== undefined)
    await services.db.batch([insertAudit(services, { action: 'too-many-wrong-passwords', actor: null, personId })])
}
