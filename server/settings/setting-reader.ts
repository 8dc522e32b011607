import { isIP, isIPv6 } from 'node:net'
import { trimEndMatching } from '#contract/trim-end.ts'

export class BadSetting extends Error {}

export type Environment = Record<string, string | undefined>

export interface Variable {
  name: string
  value: string
}

export type SettingReader = ReturnType<typeof createSettingReader>

export function createSettingReader(environment: Environment) {
  const names = new Set<string>()
  const text = (name: string): string | null => {
    names.add(name)
    return environment[name]?.trim() || null
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
        throw new BadSetting(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
      return number
    },
    choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const value = text(name)
      if (value === null) return fallback
      if (!choices.includes(value as Choice))
        throw new BadSetting(`${name} must be one of ${choices.join(', ')}, not "${value}".`)
      return value as Choice
    },
    url(name: string, protocols: string[]): string | null {
      const value = text(name)
      if (value === null) return null
      const parsed = URL.parse(value)
      // `URL.parse` also accepts capitals and missing slashes, but the value is used as written.
      if (!parsed || !protocols.some((protocol) => value.startsWith(`${protocol}//`))) {
        throw new BadSetting(
          `${name} must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
        )
      }
      return trimEndMatching(value, /\//)
    },
    /** Error messages leave the value out: it may hold a password. */
    baseUrl(name: string): string | null {
      const value = this.url(name, ['http:', 'https:'])
      if (value === null) return null
      const { username, password } = new URL(value)
      if (username || password || /[?#]/.test(value))
        throw new BadSetting(`${name} must be an address without a username, password, "?" or "#".`)
      return value
    },
    host(name: string, fallback: string): string {
      const value = text(name) ?? fallback
      if (!isIP(value) && !/^[A-Za-z0-9.-]+$/.test(value))
        throw new BadSetting(`${name} must be an address or a host name, not "${value}".`)
      return value
    },
    list: (name: string): string[] =>
      (text(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    /** For headers and addresses. Error messages leave the value out: it may be a secret. */
    plain(name: string): string | null {
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
            `${name} must be IP addresses of name servers, separated by commas, such as "1.1.1.1, 9.9.9.9:53", not "${server}".`,
          )
        return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
      })
      return servers.length > 0 ? servers : fallback
    },
    hosts(name: string): string[] {
      const hosts = this.list(name).map((host) => host.toLowerCase())
      const invalidHost = hosts.find((host) => !/^(?:\*|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*|[\da-f:]+)$/.test(host))
      if (invalidHost)
        throw new BadSetting(
          `${name} must be host names separated by commas, such as "*.example.com", not "${invalidHost}".`,
        )
      return hosts
    },
    hostsWithPorts(name: string): string[] {
      return this.list(name).map((host) => {
        const url = URL.parse(`http://${host}`)
        if (!url || `${url.href}` !== `http://${host.toLowerCase()}/`)
          throw new BadSetting(
            `${name} must be hosts separated by commas, each with its port unless that is 80 or 443, such as "memos.example.com, 192.168.1.5:5230", not "${host}".`,
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
