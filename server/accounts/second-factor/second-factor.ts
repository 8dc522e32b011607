import { randomBytes } from 'node:crypto'
import type { SecondFactorState } from '#contract/accounts/second-factor.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import { sealForWrite, toSecondFactorBinding } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { emailAboutSecurity } from '../mailer.ts'
import type { Person } from '../person.ts'
import { buildProofWrite } from '../recent-proof.ts'
import { countRecoveryCodes, createRecoveryCodes } from './recovery-codes.ts'
import { forgetDevices } from './remembered-devices.ts'
import { readSignInPolicy } from './sign-in-policy.ts'
import { findTotpStep, toBase32, toTotpStep, toTotpUri, totpCodePattern } from './totp.ts'
import { clockToleranceSteps, createWrongCodeProblem, openTotpSecret } from './verify-code.ts'

const secretByteLength = 20
const throttle = { kind: 'second-factor-setup', limit: 20, windowMs: 15 * 60 * 1000 }

export function isSecondFactorEnabled({ db }: Pick<Services, 'db'>, personId: string): Promise<boolean> {
  return db.exists(
    db
      .selectFrom('second_factors')
      .select('person_id')
      .where('person_id', '=', personId)
      .where('enabled_at', 'is not', null),
  )
}

export async function showSecondFactor(services: Services, person: Person): Promise<SecondFactorState> {
  const row = await services.db
    .selectFrom('second_factors')
    .select('enabled_at')
    .where('person_id', '=', person.id)
    .executeTakeFirst()
  return {
    enabledAt: toIsoTimeOrNull(row?.enabled_at ?? null),
    recoveryCodesLeft: await countRecoveryCodes(services, person.id),
    isRequired: person.roles.length > 0 && (await readSignInPolicy(services)).administratorsNeedTwoFactors,
  }
}

/** The secret, shown until the first right code; each call replaces the previous one. @throws Problem 409 if it is on */
export async function setUpSecondFactor(services: Services, person: Person): Promise<{ secret: string; uri: string }> {
  await requireAttempt(services, throttle, person.id)
  const secret = randomBytes(secretByteLength)
  const binding = toSecondFactorBinding(person.id)
  const { sealed, afterWrite } = sealForWrite(services, 'second_factors', secret.toString('base64url'), binding)
  const values = { sealed, last_step: 0, created_at: services.now().getTime(), enabled_at: null, rests_until: null }
  const { numInsertedOrUpdatedRows } = await services.db
    .insertInto('second_factors')
    .values({ person_id: person.id, ...values })
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet(values).where('second_factors.enabled_at', 'is', null),
    )
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows)
    throw new Problem('conflict', { message: 'Codes are already on. Turn them off first to use another app.' })
  await afterWrite()
  return { secret: toBase32(secret), uri: toTotpUri(secret, person.email) }
}

/** @throws Problem 400 for a wrong code, 409 without a setup in progress */
export async function enableSecondFactor(services: Services, person: Person, code: string): Promise<string[]> {
  await requireAttempt(services, throttle, person.id)
  const { db } = services
  const row = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('person_id', '=', person.id)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  const createNotInProgressProblem = () =>
    new Problem('conflict', { message: 'Start the setup of your authenticator app again.' })
  if (!row) throw createNotInProgressProblem()
  const secret = await openTotpSecret(services, row)
  const text = code.replace(/\s/g, '')
  const now = services.now().getTime()
  const step = findTotpStep(secret, text, toTotpStep(now), clockToleranceSteps)
  if (step === undefined)
    throw totpCodePattern.test(text)
      ? createWrongCodeProblem(services, secret, text, { isSettingUp: true })
      : badField('code', 'Enter the 6 digits that the app shows.')
  const { codes, writes } = createRecoveryCodes(services, person.id)
  const isEnabled = await db.batchUnlessChanged([
    requireChanges(
      db
        .updateTable('second_factors')
        .set({ enabled_at: now, last_step: step })
        .where('person_id', '=', person.id)
        .where('enabled_at', 'is', null)
        .where('sealed', '=', row.sealed),
    ),
    ...writes,
    buildProofWrite(services, person, 'totp'),
    insertAudit(services, { action: 'second-factor-added', actor: person, personId: person.id }),
  ])
  if (!isEnabled) throw createNotInProgressProblem()
  services.sessions.evictPerson(person.id)
  services.live.publish(person.id, { type: 'account-changed' })
  await emailAboutSecurity(services, person.id, {
    subject: 'Codes are on for your Keeper account',
    text: 'Signing in with your password now also needs a code from your authenticator app.',
  })
  return codes
}

/** Idempotent. @throws Problem 409 if this Keeper requires it of the person */
export async function disableSecondFactor(services: Services, person: Person): Promise<void> {
  if ((await showSecondFactor(services, person)).isRequired)
    throw new Problem('conflict', {
      message: 'This Keeper requires a second factor for administrators, so you can’t turn codes off.',
    })
  await removeSecondFactor(services, person.id, person)
}

/** Administrators and the command line (`actor` is null) use this too. The person gets an email. Idempotent; returns whether it was on. */
export async function removeSecondFactor(
  services: Services,
  personId: string,
  actor: Pick<Person, 'id'> | null,
): Promise<boolean> {
  const { db } = services
  const isRemoved = await db.batchUnlessChanged([
    requireChanges(
      db.deleteFrom('second_factors').where('person_id', '=', personId).where('enabled_at', 'is not', null),
    ),
    db.deleteFrom('recovery_codes').where('person_id', '=', personId),
    forgetDevices(services, personId),
    insertAudit(services, { action: 'second-factor-removed', actor, personId }),
  ])
  if (!isRemoved) return false
  services.live.publish(personId, { type: 'account-changed' })
  const administratorNote = actor?.id === personId ? '' : ' An administrator of this Keeper removed it.'
  await emailAboutSecurity(services, personId, {
    subject: 'Codes are off for your Keeper account',
    text: `Signing in no longer needs a code from your authenticator app.${administratorNote}`,
  })
  return true
}

/** @throws Problem 409 if codes are off */
export async function renewRecoveryCodes(services: Services, person: Person): Promise<string[]> {
  if (!(await isSecondFactorEnabled(services, person.id)))
    throw new Problem('conflict', { message: 'Turn on sign-in codes first.' })
  const { codes, writes } = createRecoveryCodes(services, person.id)
  await services.db.batch([
    ...writes,
    insertAudit(services, { action: 'recovery-codes-renewed', actor: person, personId: person.id }),
  ])
  services.live.publish(person.id, { type: 'account-changed' })
  await emailAboutSecurity(services, person.id, {
    subject: 'New recovery codes for your Keeper account',
    text: 'New recovery codes were created. The earlier ones no longer work.',
  })
  return codes
}
