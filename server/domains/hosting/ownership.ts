import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { type DnsQuery, toRecordState } from './dns-query.ts'
import type { HostedName } from './hosting-driver.ts'

const ownershipReasons: Record<DnsRecord['state'], string> = {
  ok: 'This record proves that the domain is yours.',
  missing: 'This record proves that the domain is yours. Add it at your DNS provider.',
  different: 'This record proves that the domain is yours. The record found has a different value.',
  unknown: 'This record proves that the domain is yours. Not every name server responded.',
}

export async function checkOwnership(queryDns: DnsQuery, name: HostedName): Promise<DnsRecord> {
  const domain = `_keeper.${name.hostname}`
  const value = `keeper-domain-verify=${name.hostname},${name.token}`
  const results = await queryDns('TXT', domain)
  const state = toRecordState(results, (values) => name.token !== '' && values.some((text) => text.trim() === value))
  return { type: 'TXT', domain, value, found: results, state, reason: ownershipReasons[state] }
}
