import type { SignedIn } from '#contract/accounts/accounts.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { hourMs } from '#server/hours-and-days.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry, type Throttle, triesSoFar } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { hashForTiming, isPassword } from './password.ts'
import { openSession } from './sessions.ts'

const quarterHour = 15 * 60 * 1000
/** Limits audit entries per account: the audit trail is never emptied, and guessing could fill it. */
const writtenDown: Throttle = { kind: 'wrong-passwords-written-down', limit: 1, windowMs: hourMs }

/** Unknown emails and wrong passwords look alike. Limits are per account and address, so the right password works elsewhere. */
export async function signIn(
  services: Services,
  given: { email: string; password: string },
  address: string,
  device: string | null = null,
): Promise<SignedIn> {
  const folded = given.email.trim().toLowerCase()
  const perAccount: Throttle = {
    kind: 'sign-in',
    limit: services.settings.limits.signInPerAccount,
    windowMs: quarterHour,
    apart: address,
  }
  const perAddress: Throttle = {
    kind: 'sign-in-address',
    limit: services.settings.limits.signInPerAddress,
    windowMs: quarterHour,
  }
  const tooMany = (throttle: Throttle, waitSeconds: number) => {
    const wait = `Try again in ${Math.ceil(waitSeconds / 60)} minutes`
    return new Problem('too-many', {
      message:
        throttle === perAccount
          ? `Too many wrong passwords. ${wait}, or reset your password.`
          : `Too many wrong passwords came from your network. ${wait}, or from another one.`,
      retryAfterSeconds: waitSeconds,
    })
  }
  const refuseTooMany = async () => {
    let fromAddress = 0
    for (const [throttle, subject] of [
      [perAccount, folded],
      [perAddress, address],
    ] as const) {
      const { count, waitSeconds } = await triesSoFar(services, throttle, subject)
      if (count >= throttle.limit) throw tooMany(throttle, waitSeconds)
      fromAddress = count
    }
    return fromAddress
  }
  const asker = { address, isSuspected: (await refuseTooMany()) > 0 }
  const found = await services.db.selectFrom('people').selectAll().where('email_folded', '=', folded).executeTakeFirst()
  if (!found) await hashForTiming(services, given.password, asker)
  if (!found || !(await isPassword(given.password, found.password_hash, asker))) {
    const forAccount = await countTry(services, perAccount, folded)
    const fromAddress = await countTry(services, perAddress, address)
    if (forAccount.count === perAccount.limit) await writeDown(services, folded, found?.id)
    // In a burst all pass the first check. Past the limit, right and wrong passwords get the same answer.
    if (!forAccount.within) throw tooMany(perAccount, forAccount.waitSeconds)
    if (!fromAddress.within) throw tooMany(perAddress, fromAddress.waitSeconds)
    throw new Problem('wrong-credentials')
  }
  await refuseTooMany()
  // Its time is over, even if the sweep hasn't deleted it yet.
  if (found.deletes_at !== null && found.deletes_at <= services.now().getTime()) throw new Problem('wrong-credentials')
  if (found.deactivated_at !== null) throw new Problem('account-deactivated')
  const user = { id: found.id, name: found.name, nickname: found.nickname, email: found.email }
  const also = [auditing(services, { action: 'signed-in', actor: user, personId: user.id })]
  try {
    return await openSession(services, user, { device, also, passwordHash: found.password_hash })
  } catch (error) {
    // The password changed or the account was deactivated during the comparison.
    throw error instanceof UnexpectedChanges ? new Problem('wrong-credentials') : error
  }
}

/** Audits the lockout of an account. Unknown accounts are counted, too, so that both take equally long. */
async function writeDown(services: Services, folded: string, personId: string | undefined): Promise<void> {
  const { within } = await countTry(services, writtenDown, folded)
  if (within && personId !== undefined)
    await services.db.batch([auditing(services, { action: 'too-many-wrong-passwords', actor: null, personId })])
}
