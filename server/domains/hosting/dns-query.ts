import { promises as dns } from 'node:dns'
import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { normalizeHostName } from '#server/http/host-check.ts'

type QueriedType = 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'CAA'
export type DnsResults = DnsRecord['found']

/** Queries every name server without a cache; the system's resolver and hosts file are never used. */
export type DnsQuery = (type: QueriedType, name: string) => Promise<DnsResults>

/** @param servers `host:port`, with a numeric host */
export function createDnsQuery(servers: readonly string[], { timeoutMs = 2000, tries = 2 } = {}): DnsQuery {
  return (type, name) =>
    Promise.all(
      servers.map(async (server) => {
        const dnsResolver = new dns.Resolver({ timeout: timeoutMs, tries })
        dnsResolver.setServers([server])
        const resolver = server.replace(/:53$/, '')
        try {
          return { resolver, values: await resolveByType[type](dnsResolver, name), error: null }
        } catch (error) {
          const { code = 'EFAILED' } = error as NodeJS.ErrnoException
          if (notFoundCodes.includes(code)) return { resolver, values: [], error: null }
          return { resolver, values: [], error: failureTexts[code] ?? `failed to answer (${code})` }
        }
      }),
    )
}

/** The record certainly doesn't exist. Everything else is inconclusive, so that a forced failure changes nothing. */
const notFoundCodes = ['ENODATA', 'ENOTFOUND']
const failureTexts: Record<string, string> = {
  ETIMEOUT: 'didn’t respond in time',
  ESERVFAIL: 'failed to look up the record',
  EREFUSED: 'refused to answer',
  ECONNREFUSED: 'can’t be reached',
}

const resolveByType: Record<QueriedType, (resolver: dns.Resolver, name: string) => Promise<string[]>> = {
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((chunks) => chunks.join('')),
  CNAME: async (resolver, name) => (await resolver.resolveCname(name)).map(normalizeHostName),
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: async (resolver, name) => (await resolver.resolve6(name)).map(normalizeHostName),
  CAA: async (resolver, name) =>
    (await resolver.resolveCaa(name)).map(({ critical, ...property }) => {
      const [tag = '', value = ''] = Object.entries(property).find(([key]) => key !== 'type') ?? []
      return `${critical} ${tag} "${String(value)}"`
    }),
}

export function toRecordState(
  results: DnsResults,
  isExpected: (values: string[], index: number) => boolean,
): DnsRecord['state'] {
  if (results.length === 0 || results.some(({ error }) => error !== null)) return 'unknown'
  if (results.every(({ values }, index) => isExpected(values, index))) return 'ok'
  return results.some(({ values }) => values.length === 0) ? 'missing' : 'different'
}
