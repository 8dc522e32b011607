import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { registrableLabels } from '../custom/host-name.ts'
import type { NameServers } from './name-servers.ts'

/** The proxy's certificate authority (docs/operating.md). */
const authority = 'letsencrypt.org'

/** CAA records that block certificates. The one nearest to the name counts, up to the registrable domain (RFC 8659). */
export async function lookForCaa(nameServers: NameServers, hostname: string): Promise<DnsRecord[]> {
  const labels = hostname.split('.')
  const names = labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(0, labels.length - registrableLabels(hostname) + 1)
  const answers = await Promise.all(names.map((name) => nameServers('CAA', name)))
  const found = (answers[0] ?? []).map((first, index) => {
    const upwards = answers.map((answer) => answer[index] ?? first)
    return upwards.find(({ values, error }) => error !== null || values.length > 0) ?? first
  })
  const wanted = { type: 'CAA', domain: hostname, value: `0 issue "${authority}"`, found }
  if (found.some(({ error }) => error !== null))
    return [{ ...wanted, state: 'unknown', reason: 'Not every name server responded.' }]
  if (found.every(({ values }) => maySign(values))) return []
  return [
    { ...wanted, state: 'different', reason: `Prevents ${authority} from issuing the certificate. Allow it, too.` },
  ]
}

function maySign(values: string[]): boolean {
  const issuers = values
    .map((value) => /^\d+ issue "\s*([^\s;"]*)/.exec(value)?.[1])
    .filter((each) => each !== undefined)
  return issuers.length === 0 || issuers.includes(authority)
}
