import { insertAudit } from '#server/audit/write-audit.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { countAttempts, deleteAttempts } from '#server/http/throttle.ts'
import { openSealed, toSecondFactorBinding } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'
import { formatMinutes, hourMs } from '#server/values/time-units.ts'
import { emailAboutSecurity } from '../mailer.ts'
import { countRecoveryCodes, redeemRecoveryCode } from './recovery-codes.ts'
import { findTotpStep, stepSeconds, toTotpStep, totpCodePattern } from './totp.ts'

const lockoutMs = 15 * 60 * 1000
const throttle = { kind: 'second-factor', limit: 10, windowMs: hourMs }
const toSubject = (personId: string) => `second factor ${personId}`

/** A phone's clock can be one step off. */
export const clockToleranceSteps = 1
/** Within this many steps, a wrong code shows how far the phone's clock is off. */
const hintToleranceSteps = 10

/**
 * Checks a code of the authenticator app or a recovery code; each works once. After ten wrong codes in an hour, one try is
 * allowed every 15 minutes. @throws Problem 400 for a wrong code, 429 during the lockout
 */
export async function verifyCode(services: Services, personId: string, code: string): Promise<'totp' | 'recovery'> {
  const row = await services.db
    .selectFrom('second_factors')
    .selectAll()
    .where('person_id', '=', personId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  if (!row) throw badField('code', 'Codes aren’t turned on for this account.')
  const isLastAttempt = await claimAttempt(services, personId)
  const text = code.replace(/\s/g, '')
  const factor = totpCodePattern.test(text) ? 'totp' : 'recovery'
  const problem =
    factor === 'totp' ? await redeemTotp(services, row, text) : await checkRecoveryCode(services, personId, text)
  if (problem) {
    if (isLastAttempt) await startLockout(services, personId)
    throw problem
  }
  await services.db.batch([
    deleteAttempts(toSubject(personId)),
    services.db.updateTable('second_factors').set({ rests_until: null }).where('person_id', '=', personId),
    ...(factor === 'recovery'
      ? [insertAudit(services, { action: 'recovery-code-used', actor: { id: personId }, personId })]
      : []),
  ])
  if (factor === 'recovery') await emailAboutRecoveryCode(services, personId)
  return factor
}

/** Counts before checking, so that a burst gets no more tries. Returns whether a wrong code starts the lockout. */
async function claimAttempt(services: Services, personId: string): Promise<boolean> {
  const { count } = await countAttempts(services, throttle, toSubject(personId))
  const now = services.now().getTime()
  if (count <= throttle.limit) {
    const row = await services.db
      .selectFrom('second_factors')
      .select('rests_until')
      .where('person_id', '=', personId)
      .executeTakeFirst()
    const restsUntil = row?.rests_until ?? now
    if (restsUntil > now) throw createLockoutProblem(restsUntil - now)
    return count === throttle.limit
  }
  const { numUpdatedRows } = await services.db
    .updateTable('second_factors')
    .set({ rests_until: now + lockoutMs })
    .where('person_id', '=', personId)
    .where((where) => where.or([where('rests_until', 'is', null), where('rests_until', '<=', now)]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw createLockoutProblem(lockoutMs)
  return false
}

function createLockoutProblem(waitMs: number): Problem {
  const wait = formatMinutes(Math.max(1, Math.ceil(waitMs / 60_000)))
  return new Problem('too-many', {
    message: `Too many wrong codes. Try again in ${wait}.`,
    retryAfterSeconds: waitMs / 1000,
  })
}

async function startLockout(services: Services, personId: string): Promise<void> {
  await services.db.batch([
    services.db
      .updateTable('second_factors')
      .set({ rests_until: services.now().getTime() + lockoutMs })
      .where('person_id', '=', personId),
    insertAudit(services, { action: 'too-many-wrong-codes', actor: null, personId }),
  ])
  await emailAboutSecurity(services, personId, {
    subject: 'Too many wrong codes for your Keeper account',
    text: `Someone entered ${throttle.limit} wrong codes within an hour, after the right password. Codes are refused for 15 minutes.`,
  })
}

async function checkRecoveryCode(services: Services, personId: string, code: string): Promise<Problem | undefined> {
  if (await redeemRecoveryCode(services, personId, code)) return undefined
  return badField('code', 'This isn’t one of your unused recovery codes. Codes of the app have 6 digits.')
}

async function redeemTotp(
  services: Services,
  row: { person_id: string; sealed: string },
  code: string,
): Promise<Problem | undefined> {
  const secret = await openTotpSecret(services, row)
  const now = services.now().getTime()
  const currentStep = toTotpStep(now)
  const step = findTotpStep(secret, code, currentStep, clockToleranceSteps)
  if (step === undefined) return createWrongCodeProblem(services, secret, code)
  // A conditional update, so that only one of two processes accepts the same code.
  const { numUpdatedRows } = await services.db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('person_id', '=', row.person_id)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? badField('code', 'This code was already used. Wait for the next one.') : undefined
}

/** @throws Problem 422 if the secret can't be opened, such as after a lost master key */
export async function openTotpSecret(
  services: Services,
  row: { person_id: string; sealed: string },
): Promise<Uint8Array> {
  const text = await openSealed(services, row.sealed, toSecondFactorBinding(row.person_id))
  if (text === undefined)
    throw new Problem('unprocessable', {
      message:
        'The secret of your authenticator app can’t be decrypted. Use a recovery code, or ask your administrator to remove the second factor.',
    })
  return Buffer.from(text, 'base64url')
}

/** Names the clock's difference for past codes only: a hint about a future code would reveal that it is right. */
export function createWrongCodeProblem(
  { now }: Pick<Services, 'now'>,
  secret: Uint8Array,
  code: string,
  { isSettingUp } = { isSettingUp: false },
): Problem {
  const step = toTotpStep(now().getTime())
  const match = findTotpStep(secret, code, step, hintToleranceSteps)
  const time = `The server’s time is ${now().toISOString().slice(11, 19)} UTC.`
  if (match === undefined || (match > step && !isSettingUp))
    return badField('code', `This code isn’t right. ${time} If your phone shows another time, correct its clock.`)
  const seconds = Math.abs(match - step) * stepSeconds
  const difference = seconds < 60 ? `${seconds} seconds` : formatMinutes(Math.round(seconds / 60))
  const deviation = match < step ? `${difference} slow, or you entered an old code` : `${difference} fast`
  return badField(
    'code',
    `Your phone’s clock is about ${deviation}. ${time} Correct the phone’s clock and enter a new code.`,
  )
}

async function emailAboutRecoveryCode(services: Services, personId: string): Promise<void> {
  const remainingCodes = await countRecoveryCodes(services, personId)
  await emailAboutSecurity(services, personId, {
    subject: 'A recovery code of your Keeper account was used',
    text: `A recovery code was used to sign in or to confirm a change. ${remainingCodes === 1 ? '1 code is' : `${remainingCodes} codes are`} left.`,
  })
}
