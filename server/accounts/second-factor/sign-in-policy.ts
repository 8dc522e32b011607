import { isTwoFactorMethod } from '#contract/accounts/session-methods.ts'
import type { SignInPolicy } from '#contract/administration/sign-in-policy.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { Person } from '../person.ts'

const settingName = 'administrators-need-two-factors'

export async function readSignInPolicy({ db }: Pick<Services, 'db'>): Promise<SignInPolicy> {
  const row = await db
    .selectFrom('platform_settings')
    .select('value')
    .where('name', '=', settingName)
    .executeTakeFirst()
  return { administratorsNeedTwoFactors: row?.value === 'true' }
}

/** Effective from the administrators' next request. @throws Problem 409 for someone who would lock themselves out */
export async function saveSignInPolicy(
  services: Services,
  person: Person,
  policy: SignInPolicy,
): Promise<SignInPolicy> {
  const { db } = services
  if (policy.administratorsNeedTwoFactors && !isTwoFactorMethod(person.sessionMethod))
    throw new Problem('conflict', {
      message: 'Sign in with two factors yourself first: turn on codes or add a passkey under Profile.',
    })
  const values = {
    value: String(policy.administratorsNeedTwoFactors),
    updated_at: services.now().getTime(),
    updated_by: person.id,
  }
  await db.batch([
    db
      .insertInto('platform_settings')
      .values({ name: settingName, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values)),
    insertAudit(services, {
      action: 'sign-in-policy-set',
      actor: person,
      details: { administratorsNeedTwoFactors: values.value },
    }),
  ])
  const administrators = await db.selectFrom('role_grants').select('person_id').distinct().execute()
  for (const { person_id } of administrators) {
    services.sessions.evictPerson(person_id)
    services.live.publish(person_id, { type: 'session-changed' })
  }
  return readSignInPolicy(services)
}
