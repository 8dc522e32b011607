import { cleanOneLine } from '#contract/one-line-text.ts'
import { hasOwnAddress } from '#server/settings/public-url.ts'
import type { Settings } from '#server/settings/settings.ts'

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
