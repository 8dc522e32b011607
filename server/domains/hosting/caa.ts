import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { countRegistrableLabels } from '../custom/host-name.ts'
import type { DnsQuery } from './dns-query.ts'

const certificateAuthority = 'letsencrypt.org'

/** CAA records that block certificates. Of each name server, the record nearest to the name counts, up to the registrable domain (RFC 8659). */
export async function findBlockingCaa(queryDns: DnsQuery, hostname: string): Promise<DnsRecord[]> {
  const labels = hostname.split('.')
  const names = labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(0, labels.length - countRegistrableLabels(hostname) + 1)
  const resultsByName = await Promise.all(names.map((name) => queryDns('CAA', name)))
  const effective = (resultsByName[0] ?? []).map((ownResult, serverIndex) => {
    const resultsFromServer = resultsByName.map((results) => results[serverIndex] ?? ownResult)
    return resultsFromServer.find(({ values, error }) => error !== null || values.length > 0) ?? ownResult
  })
  const expectedRecord = { type: 'CAA', domain: hostname, value: `0 issue "${certificateAuthority}"`, found: effective }
  if (effective.some(({ error }) => error !== null))
    return [{ ...expectedRecord, state: 'unknown', reason: 'Not every name server responded.' }]
  if (effective.every(({ values }) => allowsAuthority(values))) return []
  return [
    {
      ...expectedRecord,
      state: 'different',
      reason: `Prevents ${certificateAuthority} from issuing the certificate. Allow this authority too.`,
    },
  ]
}

function allowsAuthority(values: string[]): boolean {
  const issuers = values
    .map((value) => /^\d+ issue "\s*([^\s;"]*)/.exec(value)?.[1])
    .filter((issuer) => issuer !== undefined)
  return issuers.length === 0 || issuers.includes(certificateAuthority)
}
