import { cleanOneLine } from '#contract/one-line-text.ts'
import type { Settings } from '#server/settings.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** False without SMTP_URL; then pages offer links to copy. */
  isSetUp: boolean
  send(mail: Mail): Promise<void>
}

/** Connection and idle timeout (ms). Nodemailer's defaults are minutes, and emails are sent one after another. */
const patience = 20_000

export function createMailer(settings: Settings, patienceMs = patience): Mailer {
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
        connectionTimeout: patienceMs,
        greetingTimeout: patienceMs,
        socketTimeout: patienceMs,
      })
      await transport.sendMail({ from, ...mail, subject: cleanOneLine(mail.subject) })
    },
  }
}
