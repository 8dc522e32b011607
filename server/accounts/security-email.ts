import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { dayMs } from '#server/values/time-units.ts'

const perDay = { kind: 'security-mail', limit: 20, windowMs: dayMs }

/** Emails a person about a change to how they sign in. Awaits only the address: the change remains valid without the email. */
export async function emailAboutSecurity(
  services: Services,
  personId: string,
  { subject, text }: { subject: string; text: string },
): Promise<void> {
  if (!services.mailer.isSetUp || !(await countAttempts(services, perDay, personId)).isWithinLimit) return
  const person = await services.db.selectFrom('people').select('email').where('id', '=', personId).executeTakeFirst()
  if (!person) return
  services.mailer
    .send({
      to: person.email,
      subject,
      text: `${text}\n\nIf it wasn’t you, change your password and check how you sign in:\n${getPublicUrl(services)}/root/profile`,
    })
    .catch((error: unknown) => services.log.error({ err: error }, 'an email about a sign-in change could not be sent'))
}
