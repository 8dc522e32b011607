import { isIP } from 'node:net'
import { emailAddress } from '#contract/accounts/email-address.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import { BadSetting } from './environment.ts'
import type { SettingReader } from './setting-reader.ts'

export interface MailSender {
  name: string
  address: string
}

export interface MailSettings {
  smtpUrl: string | null
  /** `null` without a mail server. */
  mailSender: MailSender | null
  /** Whether the sender is a placeholder, because no setting names one. */
  isSenderGuessed: boolean
}

const defaultName = 'Keeper'
const maxNameLength = 100

/** The sender is KEEPER_MAIL_FROM, the address that signs in at the mail server, or keeper@ a real public domain. */
export function readMailSettings(
  reader: SettingReader,
  publicUrl: string | null,
  addNote: (text: string) => void,
): MailSettings {
  const smtpUrl = reader.url('SMTP_URL', ['smtp:', 'smtps:'])
  const from = reader.text('KEEPER_MAIL_FROM')
  const configuredSender = from === null ? null : parseSender(from)
  if (smtpUrl === null) {
    if (configuredSender) addNote('KEEPER_MAIL_FROM has no effect without SMTP_URL')
    return { smtpUrl, mailSender: null, isSenderGuessed: false }
  }
  const host = publicUrl === null ? null : new URL(publicUrl).hostname.replace(/\.$/, '')
  const mailSender = configuredSender ?? findDefaultSender(decodeURIComponent(new URL(smtpUrl).username), host)
  if (mailSender) return { smtpUrl, mailSender, isSenderGuessed: false }
  const reason = host === null ? 'KEEPER_PUBLIC_URL isn’t set' : `${host} isn’t an internet domain`
  addNote(
    `emails have no valid sender: SMTP_URL signs in without an email address and ${reason}. Set KEEPER_MAIL_FROM, such as "Keeper <keeper@example.org>"; until then they come from keeper@localhost, which most mail servers refuse`,
  )
  return { smtpUrl, mailSender: { name: defaultName, address: 'keeper@localhost' }, isSenderGuessed: true }
}

function findDefaultSender(smtpUser: string, publicHost: string | null): MailSender | null {
  if (isAddress(smtpUser)) return { name: defaultName, address: smtpUser }
  return publicHost !== null && isRealDomain(publicHost) ? { name: defaultName, address: `keeper@${publicHost}` } : null
}

const quotedValuePattern = /^"[^"]*<[^"]*>"$|^'.*'$/

/** Strips quotes around the whole value, which Docker's env files keep. */
function parseSender(value: string): MailSender {
  const text = quotedValuePattern.test(value) ? value.slice(1, -1).trim() : value
  const [, name = '', address = text] = /^(.*?)<([^<>]*)>$/.exec(text) ?? []
  const unquotedName = name.trim().replace(/^"(.*)"$/, (_, quoted: string) => quoted.replace(/\\(.)/g, '$1'))
  if (!isAddress(address.trim()) || unquotedName.length > maxNameLength)
    throw new BadSetting(
      `KEEPER_MAIL_FROM must be an email address or a name of at most ${maxNameLength} characters with one, such as "Keeper <keeper@example.org>".`,
    )
  return { name: cleanOneLine(unquotedName) || defaultName, address: address.trim() }
}

function isAddress(text: string): boolean {
  return emailAddress.safeParse(text).success
}

const localDomainPattern = /\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|invalid|home\.arpa)$/i

function isRealDomain(host: string): boolean {
  return isIP(stripBrackets(host)) === 0 && host.includes('.') && !localDomainPattern.test(host)
}
