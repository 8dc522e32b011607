import { trimEndMatching } from '#contract/linear-text.ts'
import { BadSetting } from './environment.ts'

/**
 * No message shows any part of the address, since it can hold a password. Each names the rule that the address breaks.
 * @throws BadSetting
 */
export function parseAddress(name: string, value: string, protocols: string[]): string {
  const refuse = (rule: string) => new BadSetting(`${name} ${rule}.`)
  if (/^(["'`]).*\1$/s.test(value)) throw refuse('has quotes around its value. Leave them out')
  const [, scheme = '', remainder = ''] = /^([a-z][a-z\d+.-]*:)\/\/(.*)$/is.exec(value) ?? []
  // A driver may distinguish capitals in the scheme, although the standard doesn't.
  const protocol = scheme.toLowerCase()
  if (!protocols.includes(protocol))
    throw refuse(`must be an address starting with ${protocols.map((allowed) => `${allowed}//`).join(' or ')}`)
  requireReadableCredentials(name, remainder)
  if (/[\s\p{Cc}]/u.test(value)) throw refuse('must be an address without spaces and line breaks')
  const address = `${protocol}//${remainder}`
  if (!URL.parse(address)) {
    const [authority = ''] = /^[^/?#]*/.exec(remainder) ?? []
    const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1)
    const [, port] = /^(?:\[[^\]]*\]|[^:]*):(.*)$/.exec(hostAndPort) ?? []
    const isBadPort = port !== undefined && !(/^\d*$/.test(port) && Number(port) <= 65_535)
    throw refuse(isBadPort ? 'must have a port from 1 to 65535, after its host and a colon' : 'has no valid host')
  }
  return trimEndMatching(address, /\//)
}

const queryWithAtPattern = /^[^/?#]*@[^/?#@]*(?:\/[^/?#@]*)?\?[\w.-]+=[^#]*$/
const encodedCharacters = /[/?#@[\]\\\s]/g

/**
 * Refuses characters in the user name or password that would end the host part early: the host would then be a part of
 * the password. @param address the part after `://`
 */
export function requireReadableCredentials(name: string, address: string): void {
  const atIndex = address.lastIndexOf('@')
  const [authority = ''] = /^[^/?#\\]*/.exec(address) ?? []
  // A later "@" is harmless in the value of a query.
  const areCredentialsReadWhole = atIndex < authority.length || queryWithAtPattern.test(address)
  const credentials =
    atIndex < 0 ? '' : address.slice(0, areCredentialsReadWhole ? authority.lastIndexOf('@') : atIndex)
  const misreadCharacters = areCredentialsReadWhole ? '' : (credentials.match(encodedCharacters)?.join('') ?? '')
  const unencodedPercent = /%(?![\da-f]{2})/i.test(credentials) || !isDecodable(credentials) ? '%' : ''
  if (atIndex < 0 && address.includes('#')) throw new BadSetting(`${name} must be an address without "#".`)
  const fragmentMark = areCredentialsReadWhole && address.includes('#') ? '#' : ''
  const characters = [...new Set(misreadCharacters + unencodedPercent + fragmentMark)]
  if (characters.length === 0) return
  const forms = characters.map((character) => `"${character}" as ${encodeURIComponent(character)}`)
  throw new BadSetting(
    `${name} has characters in its user name or password that an address can’t hold. Write ${forms.join(', ')}.`,
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Reads the address of a web server, without a password and a query. @throws BadSetting */
export function parseBaseUrl(name: string, value: string): string {
  const address = parseAddress(name, value, ['http:', 'https:'])
  const { username, password } = new URL(address)
  if (username || password) throw new BadSetting(`${name} must be an address without a user name and password.`)
  if (address.includes('?')) throw new BadSetting(`${name} must be an address without "?".`)
  return address
}

/** @throws BadSetting for an address that people can't open, or below which Keeper can't be served */
export function parsePublicUrl(name: string, value: string): string {
  const { origin, hostname, pathname } = new URL(parseBaseUrl(name, value))
  if (!/^\/+$/.test(pathname))
    throw new BadSetting(
      `${name} must end after the host and port: Keeper can’t be served below a path, so give it a host name of its own.`,
    )
  if (['0.0.0.0', '[::]'].includes(hostname) || hostname.includes('*'))
    throw new BadSetting(`${name} must have the host name that people open, not 0.0.0.0, [::] or "*".`)
  return origin
}
