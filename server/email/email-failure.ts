import type { EmailProblem } from '#contract/diagnostics/email.ts'
import type { EmailOutcome } from '#server/monitoring/metrics.ts'

/** Fields of a nodemailer error. */
interface EmailError {
  code?: string
  responseCode?: number
  response?: string
  command?: string
}

/** 534, 535, 538: credentials refused; 530: sign-in or encryption required; 432, 454, 525: sign-in unavailable. */
const signInCodes = new Set([432, 454, 525, 530, 534, 535, 538])
/** The second code of a response such as `550 5.7.1 …` (RFC 3463). */
const enhancedStatus = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/
/** Refused addresses of the sender, policies about the sender, and the sender's quota. */
const senderStatus = /^(?:[45]\.1\.[78]|5\.4\.5|5\.2\.252|5\.7\.(?:2[3-7]|57|60|367|708|750))$/
const recipientStatus = /^[45]\.(?:1\.(?:[1-6]|9|10)|2\.\d{1,2})$/
const senderPattern =
  /\bsender\b|\bfrom[: -]?(?:address|domain|header)|relay|authenticat|not owned|sendas|send as\b|\b(?:spf|dkim|dmarc)\b|identit(?:y|ies)|not verified|not (?:allowed|authori[sz]ed|permitted) to send|sending (?:limit|quota)|rcpthosts/i

/**
 * Classifies an error of nodemailer by who can solve it. Servers refuse a sender at MAIL FROM, but some only at RCPT TO
 * (Postfix) or after the text (Exchange, Amazon SES).
 */
export function classifyEmailFailure(error: unknown): EmailProblem {
  const { code, responseCode, response = '', command } = (error ?? {}) as EmailError
  // 454 here is about encryption, not about the sign-in.
  if (command === 'STARTTLS') return 'unreachable'
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
  const status = enhancedStatus.exec(response)?.[1] ?? ''
  // The message is too large.
  if (responseCode === 552 || status.endsWith('.3.4')) return 'refused-by-policy'
  if (command === 'MAIL FROM')
    return responseCode < 500 && !senderStatus.test(status) ? 'server-busy' : 'sender-refused'
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'unreachable'
  if (senderStatus.test(status)) return 'sender-refused'
  if (recipientStatus.test(status)) return responseCode < 500 ? 'try-later' : 'address-refused'
  if (senderPattern.test(response)) return 'sender-refused'
  if (responseCode < 500) return status.startsWith('4.3.') ? 'server-busy' : 'try-later'
  if (responseCode === 553) return 'sender-refused'
  return status.startsWith('5.7.') || code === 'EMESSAGE' ? 'refused-by-policy' : 'address-refused'
}

/** Whether every other email would fail in the same way: because of the mail server, its settings or the sender. */
export function isServerProblem(problem: EmailProblem): boolean {
  return ['unreachable', 'sign-in-refused', 'sender-refused', 'server-busy'].includes(problem)
}

/** The label of a delivery in the metrics. */
export function toEmailOutcome(problem: EmailProblem | null): EmailOutcome {
  if (problem === null) return 'sent'
  return isServerProblem(problem) ? 'server-failed' : 'refused'
}

const maxAnswerLength = 300

/** The server's answer on one line, without the user or password of the mail server in any encoding. */
export function formatServerAnswer(error: unknown, smtpUrl: string | null): string | null {
  const { response, message } = (error ?? {}) as EmailError & { message?: string }
  const text = (response ?? message ?? '').replace(/\s+/g, ' ').trim()
  if (text === '') return null
  const secrets = smtpUrl === null ? [] : listSecrets(new URL(smtpUrl))
  const clean = secrets.reduce<string>((cleaned, secret) => cleaned.replaceAll(secret, '•••'), text)
  return clean.length > maxAnswerLength ? `${clean.slice(0, maxAnswerLength)}…` : clean
}

/** Passwords first, since they can contain the user name. */
function listSecrets({ username, password }: URL): (string | RegExp)[] {
  const [plainUser, plainPassword] = [decodeURIComponent(username), decodeURIComponent(password)]
  // SMTP's PLAIN method sends both in one text, separated by zero bytes.
  const plainSignIn = `\0${plainUser}\0${plainPassword}`
  const secrets = [plainPassword, password, toBase64(plainPassword), toBase64(plainSignIn), toBase64(plainUser)]
  const isPresent = (secret: string) => secret.length > 0
  return [...secrets.filter(isPresent), ...[plainUser, username].filter(isPresent).map(toWordPattern)]
}

/** A user name can be a short word, which other words contain. */
function toWordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(word)}(?![\\p{L}\\p{N}_])`, 'giu')
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
