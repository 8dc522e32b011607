import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import { parseAddress, parseBaseUrl, parsePublicUrl } from './address-rules.ts'
import { BadSetting, type Environment } from './environment.ts'

export interface Variable {
  name: string
  value: string
}

export type SettingReader = ReturnType<typeof createSettingReader>

/** A secret can also be in the file that `<name>_FILE` names, as Docker passes secrets. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'KEEPER_SECRET',
  'KEEPER_NEW_SECRET',
  'KEEPER_PROVIDERS',
  'KEEPER_MCP_SERVERS',
  'KEEPER_OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'VERCEL_TOKEN',
  'KEEPER_METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
]

export const canBeInFile = (name: string): boolean => secretNames.includes(name) || name.endsWith('_API_KEY')

/** The variable, or the text of the file that `<name>_FILE` names. @throws BadSetting */
export function readVariable(environment: Environment, name: string): string | null {
  const value = environment[name]?.trim() || null
  const path = canBeInFile(name) ? environment[`${name}_FILE`]?.trim() : undefined
  if (!path) return value
  if (value !== null) throw new BadSetting(`${name} and ${name}_FILE are both set. Remove one of them.`)
  const text = readSecretFile(`${name}_FILE names ${path}, which`, path)
  // A secret that is silently missing would start Keeper on another database, or with another key.
  if (text === '') throw new BadSetting(`${name}_FILE names ${path}, which is empty.`)
  return text
}

const fileProblems: Record<string, string> = {
  ENOENT: 'doesn’t exist',
  ENOTDIR: 'doesn’t exist',
  EISDIR: 'is a folder; name the file in it',
  EACCES: 'can’t be read by the account that runs Keeper (EACCES)',
  EPERM: 'can’t be read by the account that runs Keeper (EPERM)',
}

function readSecretFile(subject: string, path: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    throw new BadSetting(`${subject} ${fileProblems[code] ?? `can’t be read (${code})`}.`)
  }
  // Windows PowerShell writes UTF-16 by default. A byte order mark of UTF-8 is trimmed as a space.
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new BadSetting(`${subject} isn’t plain text. Save it as UTF-8, with nothing but the value.`)
  return bytes.toString('utf8').trim()
}

/** Ends a message with the refused value, unless that could be a password that was put into the wrong setting. */
export const quoteRefused = (value: string) =>
  /[@=\s]|:\/\//.test(value) || value.length > 80 ? '' : `, not "${value}"`

export function createSettingReader(environment: Environment, addNote: (text: string) => void = () => undefined) {
  const names = new Set<string>()
  const text = (name: string): string | null => {
    if (!names.has(name)) explainChangedValue(name)
    names.add(name)
    if (canBeInFile(name)) names.add(`${name}_FILE`)
    return readVariable(environment, name)
  }
  const explainChangedValue = (name: string) => {
    const value = environment[name]?.replace(/\r?\n$/, '') ?? ''
    const trimmed = value.trim()
    if (trimmed === '') return
    if (trimmed !== value) addNote(`${name} has spaces around its value, which are left out`)
    // Docker's env files keep quotes.
    if (/^(["'`]).*\1$/s.test(trimmed)) addNote(`${name} has quotes around its value; leave them out`)
  }
  const variable = (name: string): Variable | null => {
    const value = text(name)
    return value === null ? null : { name, value }
  }
  return {
    text,
    variable,
    eitherCase: (name: string) => variable(name.toLowerCase()) ?? variable(name),
    names,
    wholeNumber(name: string, fallback: number, min: number, max: number): number {
      const value = text(name)
      if (value === null) return fallback
      const number = Number(value)
      if (!Number.isInteger(number) || number < min || number > max)
        throw new BadSetting(`${name} must be a whole number from ${min} to ${max}${quoteRefused(value)}.`)
      return number
    },
    choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const value = text(name)
      if (value === null) return fallback
      if (!choices.includes(value as Choice))
        throw new BadSetting(`${name} must be one of ${choices.join(', ')}${quoteRefused(value)}.`)
      return value as Choice
    },
    url(name: string, protocols: string[]): string | null {
      const value = text(name)
      return value === null ? null : parseAddress(name, value, protocols)
    },
    baseUrl(name: string): string | null {
      const value = text(name)
      return value === null ? null : parseBaseUrl(name, value)
    },
    publicUrl(name: string): string | null {
      const value = text(name)
      return value === null ? null : parsePublicUrl(name, value)
    },
    host(name: string, fallback: string): string {
      const value = (text(name) ?? fallback).replace(/^\[([\da-f:.]+)\]$/i, '$1')
      if (!isIP(value) && !/^[A-Za-z0-9._-]+$/.test(value))
        throw new BadSetting(`${name} must be an address or a host name${quoteRefused(value)}.`)
      return value
    },
    list: (name: string): string[] =>
      (text(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    /** For headers and addresses. Error messages leave the value out, since it can be a secret. */
    asciiText(name: string): string | null {
      const value = text(name)
      if (value !== null && !/^[\x21-\x7e]+$/.test(value))
        throw new BadSetting(`${name} must contain only letters, digits and symbols, without spaces.`)
      return value
    },
    nameServers(name: string, fallback: string[]): string[] {
      const servers = this.list(name).map((server) => {
        const [, address = '', port = '53'] =
          /^\[?([\da-f.:]+?)\]?(?::(\d+))?$/i.exec(isIPv6(server) ? `[${server}]` : server) ?? []
        if (!isIP(address) || Number(port) < 1 || Number(port) > 65_535)
          throw new BadSetting(
            `${name} must be IP addresses of name servers, separated by commas, such as "1.1.1.1, 9.9.9.9:53"${quoteRefused(server)}.`,
          )
        return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
      })
      return servers.length > 0 ? servers : fallback
    },
    hosts(name: string): string[] {
      return this.list(name).map((host) => {
        const [, wildcard = '', written = ''] = /^(\*\.)?(.*?)\.?$/.exec(host) ?? []
        const address = stripBrackets(written).toLowerCase()
        const hostName = host === '*' || isIPv6(address) ? address : domainToASCII(written)
        const hasOtherParts = /[/?#@\\]/.test(written) || (wildcard !== '' && written.includes('*'))
        if (hasOtherParts || !/^(?:\*|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|[\da-f:.]+)$/.test(hostName))
          throw new BadSetting(
            `${name} must be host names separated by commas, such as "*.example.com"${quoteRefused(host)}.`,
          )
        return `${wildcard}${hostName}`
      })
    },
    hostsWithPorts(name: string): string[] {
      return this.list(name).map((host) => {
        const url = /[/?#@\s]/.test(host) ? null : URL.parse(`http://${host.replace(/\.?(?=:\d+$|$)/, '')}`)
        if (!url)
          throw new BadSetting(
            `${name} must be hosts separated by commas, each with its port unless that is 80 or 443, such as "memos.example.com, 192.168.1.5:5230"${quoteRefused(host)}.`,
          )
        return url.host
      })
    },
    secret(name: string): string | null {
      const value = text(name)
      if (value !== null && value.length < 32)
        throw new BadSetting(`${name} must have at least 32 characters; it has ${value.length}.`)
      return value
    },
  }
}
