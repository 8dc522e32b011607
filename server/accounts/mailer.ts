import type { Settings } from '#server/settings.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** False without SMTP_URL; then pages offer links to copy instead. */
  isSetUp: boolean
  send(mail: Mail): Promise<void>
}

/** Mail by SMTP_URL. The library is loaded with the first mail. */
export function createMailer(settings: Settings): Mailer {
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
      await createTransport(smtpUrl).sendMail({ from, ...mail })
    },
  }
}
