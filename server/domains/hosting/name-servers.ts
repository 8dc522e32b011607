import { promises as dns } from 'node:dns'
import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { plainName } from '#server/http/host-check.ts'

type AskedType = 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'CAA'
/** Results by name server, in configured order. */
export type Found = DnsRecord['found']

/** Queries every name server without a cache; the system's resolver and hosts file are never used. */
export type NameServers = (type: AskedType, name: string) => Promise<Found>

/** @param servers `host:port`, with a numeric host */
export function createNameServers(servers: readonly string[], { timeoutMs = 2000, tries = 2 } = {}): NameServers {
  return (type, name) =>
    Promise.all(
      servers.map(async (server) => {
        const asked = new dns.Resolver({ timeout: timeoutMs, tries })
        asked.setServers([server])
        const resolver = server.replace(/:53$/, '')
        try {
          return { resolver, values: await lookUp[type](asked, name), error: null }
        } catch (error) {
          const { code = 'EFAILED' } = error as NodeJS.ErrnoException
          if (saysNo.includes(code)) return { resolver, values: [], error: null }
          return { resolver, values: [], error: failures[code] ?? `failed to answer (${code})` }
        }
      }),
    )
}

/** The record certainly doesn't exist. Everything else is inconclusive, so that a forced failure changes nothing. */
const saysNo = ['ENODATA', 'ENOTFOUND']
const failures: Record<string, string> = {
  ETIMEOUT: 'didn’t respond in time',
  ESERVFAIL: 'failed to look it up',
  EREFUSED: 'refused to answer',
  ECONNREFUSED: 'can’t be reached',
}

const lookUp: Record<AskedType, (resolver: dns.Resolver, name: string) => Promise<string[]>> = {
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((chunks) => chunks.join('')),
  CNAME: async (resolver, name) => (await resolver.resolveCname(name)).map(plainName),
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: async (resolver, name) => (await resolver.resolve6(name)).map(plainName),
  CAA: async (resolver, name) =>
    (await resolver.resolveCaa(name)).map(({ critical, ...property }) => {
      const [tag = '', value = ''] = Object.entries(property).find(([key]) => key !== 'type') ?? []
      return `${critical} ${tag} "${String(value)}"`
    }),
}

/** The combined state; a record that only some name servers have is missing. */
export function stateOf(found: Found, isRight: (values: string[], index: number) => boolean): DnsRecord['state'] {
  if (found.length === 0 || found.some(({ error }) => error !== null)) return 'unknown'
  if (found.every(({ values }, index) => isRight(values, index))) return 'ok'
  return found.some(({ values }) => values.length === 0) ? 'missing' : 'different'
}
