import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import type { HostedName } from './hosting-driver.ts'
import { type NameServers, stateOf } from './name-servers.ts'

const reasons: Record<DnsRecord['state'], string> = {
  ok: 'Proves that this domain is yours.',
  missing: 'Proves that this domain is yours. Add it where your DNS is kept.',
  different: 'Proves that this domain is yours. What was found holds something else.',
  unknown: 'Proves that this domain is yours. Not every name server could be asked.',
}

/** The TXT record that only who holds the name can set, with a token that each claim has of its own. */
export async function lookForOwnership(nameServers: NameServers, name: HostedName): Promise<DnsRecord> {
  const domain = `_keeper.${name.hostname}`
  const value = `keeper-domain-verify=${name.hostname},${name.token}`
  const found = await nameServers('TXT', domain)
  const state = stateOf(found, (values) => name.token !== '' && values.some((each) => each.trim() === value))
  return { type: 'TXT', domain, value, found, state, reason: reasons[state] }
}
