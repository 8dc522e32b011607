import { cleanOneLine } from '#contract/one-line-text.ts'
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
  const { smtpUrl } = settings
  if (!smtpUrl) {
    return {
      isSetUp: false,
      send: () => Promise.reject(new Error('no SMTP_URL is set')),
    }
  }
  return {
    isSetUp: true,
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const from = `Keeper <keeper@${new URL(settings.publicUrl ?? 'http://localhost').hostname}>`
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      })
      await transport.sendMail({ from, ...mail, subject: cleanOneLine(mail.subject) })
    },
  }
}
