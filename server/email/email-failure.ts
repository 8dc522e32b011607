import type { EmailProblem } from '#contract/diagnostics/email.ts'

/** The fields of a nodemailer error that tell what failed. */
interface EmailError {
  code?: string
  responseCode?: number
  response?: string
  command?: string
}

/** 534, 535, 538: refused credentials; 530: sign-in or encryption is required; 454, 432, 525: sign-in isn't possible. */
const signInCodes = new Set([432, 454, 525, 530, 534, 535, 538])
/** Addresses of the sender, policies about the sender, and the sender's quota. */
const senderStatus = /^(?:[45]\.1\.[78]|5\.4\.5|5\.2\.252|5\.7\.(?:2[3-7]|57|60|367|708|750))$/
const recipientStatus = /^[45]\.(?:1\.(?:[1-6]|9|10)|2\.\d{1,2})$/
const senderWords =
  /\bsender\b|\bfrom[: -]?(?:address|domain|header)|relay|authenticat|not owned|sendas|send as\b|\b(?:spf|dkim|dmarc)\b|identit(?:y|ies)|not verified|not (?:allowed|authori[sz]ed|permitted) to send|sending (?:limit|quota)|rcpthosts/i

/**
 * Whose problem a failure is, from nodemailer's error. Servers refuse a sender at MAIL FROM, but also only at RCPT TO
 * (Postfix) or after the text (Exchange, Amazon SES).
 */
export function classifyEmailFailure(error: unknown): EmailProblem {
  const { code, responseCode, response = '', command } = (error ?? {}) as EmailError
  if (
    ['EAUTH', 'ENOAUTH', 'EOAUTH2'].includes(code ?? '') ||
    (responseCode !== undefined && signInCodes.has(responseCode))
  )
    return 'sign-in-refused'
  if (responseCode === 421) return 'server-busy'
  if (responseCode === undefined) {
    // Nodemailer refused the recipient's address itself.
    if (code === 'EENVELOPE') return 'address-refused'
    return code === undefined || code === 'EMESSAGE' ? 'try-later' : 'unreachable'
  }
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? ''
  if (responseCode === 552 || status.endsWith('.3.4')) return 'refused-by-policy'
  if (command === 'MAIL FROM')
    return responseCode < 500 && !senderStatus.test(status) ? 'server-busy' : 'sender-refused'
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'unreachable'
  if (senderStatus.test(status)) return 'sender-refused'
  if (recipientStatus.test(status)) return responseCode < 500 ? 'try-later' : 'address-refused'
  if (senderWords.test(response)) return 'sender-refused'
  if (responseCode < 500) return status.startsWith('4.3.') ? 'server-busy' : 'try-later'
  if (responseCode === 553) return 'sender-refused'
  return status.startsWith('5.7.') || code === 'EMESSAGE' ? 'refused-by-policy' : 'address-refused'
}

/** The mail server, its settings or the sender: every email would fail like this one. */
export function isServerProblem(problem: EmailProblem): boolean {
  return ['unreachable', 'sign-in-refused', 'sender-refused', 'server-busy'].includes(problem)
}

const maxAnswerLength = 300

/** The server's answer on one line, without the user or password of the mail server in any encoding. */
export function formatServerAnswer(error: unknown, smtpUrl: string | null): string | null {
  const { response, message } = (error ?? {}) as EmailError & { message?: string }
  const text = (response ?? message ?? '').replace(/\s+/g, ' ').trim()
  if (text === '') return null
  const { username = '', password = '' } = smtpUrl === null ? {} : new URL(smtpUrl)
  const secrets = [password, username && password].flatMap((secret, index) => {
    const plain = decodeURIComponent(secret)
    const combined = `\0${decodeURIComponent(username)}\0${plain}`
    return index === 0 ? [plain, secret, toBase64(plain)] : [toBase64(combined), toBase64(decodeURIComponent(username))]
  })
  const clean = secrets
    .filter((secret) => secret.length > 0)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '•••'), text)
  return clean.length > maxAnswerLength ? `${clean.slice(0, maxAnswerLength)}…` : clean
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
