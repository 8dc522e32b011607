import { cleanOneLine } from '#contract/one-line-text.ts'
import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl, hasOwnAddress } from '#server/settings/public-url.ts'
import type { Settings } from '#server/settings/settings.ts'
import { dayMs } from '#server/values/time-units.ts'

export interface Email {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  isSetUp: boolean
  send(mail: Email): Promise<void>
}

/** Connection and idle timeout (ms). Nodemailer's defaults are minutes, and emails are sent one after another. */
const defaultTimeoutMs = 20_000

export function createMailer(settings: Settings, timeoutMs = defaultTimeoutMs): Mailer {
  const { smtpUrl, mailSender } = settings
  if (!smtpUrl || !mailSender || !hasOwnAddress(settings)) {
    return {
      isSetUp: false,
      send: () => Promise.reject(new Error('no SMTP_URL is set, or no KEEPER_PUBLIC_URL')),
    }
  }
  return {
    isSetUp: true,
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      })
      await transport.sendMail({ from: mailSender, ...mail, subject: cleanOneLine(mail.subject) })
    },
  }
}

const securityEmailThrottle = { kind: 'security-mail', limit: 20, windowMs: dayMs }

/** Emails a person about a change to how they sign in. Awaits only the address: the change remains valid without the email. */
export async function emailAboutSecurity(
  services: Services,
  personId: string,
  { subject, text }: { subject: string; text: string },
): Promise<void> {
  if (!services.mailer.isSetUp || !(await countAttempts(services, securityEmailThrottle, personId)).isWithinLimit)
    return
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
