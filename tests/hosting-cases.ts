import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import type { HostingWorld } from './hosting-world.ts'

type OfEach<Value> = Record<HostingDriver['name'], Value>

export interface HostingCase {
  name: string
  /** An apex domain instead of a subdomain. */
  apex?: true
  before?(world: HostingWorld, host: string): void
  /** `records` are those that the status asks for. */
  after?(world: HostingWorld, host: string, records: DnsRecord[]): void
  /** Error code with which adding is refused, if it is. */
  refused?: OfEach<string | null>
  shows: OfEach<{ attached: boolean; configured: boolean; errorCode: string | null; states?: Record<string, string> }>
  verifies: OfEach<boolean>
  conflicts?: RegExp[]
}

const both = <Value>(value: Value): OfEach<Value> => ({ vercel: value, dns: value })
const fine = both({ attached: true, configured: true, errorCode: null })
const notConfigured = both({ attached: true, configured: false, errorCode: null })
const unknown = both({ attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' })

const routing = (records: DnsRecord[]) => records.filter(({ type }) => type !== 'TXT')
const ownership = (records: DnsRecord[]) => records.find(({ type }) => type === 'TXT') as DnsRecord

export const hostingCases: HostingCase[] = [
  {
    name: 'no valid token: every request is refused',
    before: (world) => world.refuseEverything(),
    refused: { vercel: '403', dns: null },
    shows: {
      vercel: { attached: false, configured: false, errorCode: '403' },
      dns: { attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' },
    },
    verifies: both(false),
  },
  {
    name: 'wrong project: the domain is not in it',
    before: (world) => world.misplace(),
    refused: { vercel: '404', dns: null },
    shows: {
      vercel: { attached: false, configured: false, errorCode: null },
      dns: { attached: true, configured: false, errorCode: null },
    },
    verifies: both(false),
  },
  {
    name: 'taken elsewhere',
    before: (world, host) => world.takeElsewhere(host),
    refused: { vercel: 'domain_already_in_use', dns: null },
    shows: {
      vercel: { attached: false, configured: false, errorCode: null },
      dns: { attached: true, configured: false, errorCode: null, states: { CNAME: 'different', TXT: 'missing' } },
    },
    verifies: both(false),
  },
  {
    name: 'nothing set yet',
    shows: notConfigured,
    verifies: both(false),
  },
  {
    name: 'TXT pending: it points here without proof of ownership',
    before: (world, host) => world.knownToOthers(host),
    after: (world, _, records) => world.obey(routing(records)),
    shows: both({ attached: true, configured: true, errorCode: null, states: { TXT: 'missing', CNAME: 'ok' } }),
    verifies: both(false),
  },
  {
    name: 'TXT wrong by one character',
    before: (world, host) => world.knownToOthers(host),
    after(world, _, records) {
      world.obey(routing(records))
      world.proveWrongly(ownership(records))
    },
    shows: {
      // Vercel doesn't report the value it found.
      vercel: { attached: true, configured: true, errorCode: null, states: { TXT: 'missing' } },
      dns: { attached: true, configured: true, errorCode: null, states: { TXT: 'different' } },
    },
    verifies: both(false),
  },
  {
    name: 'TXT right and nothing points here',
    before: (world, host) => world.knownToOthers(host),
    after: (world, _, records) => world.obey([ownership(records)]),
    shows: notConfigured,
    verifies: both(false),
  },
  {
    name: 'TXT and CNAME right',
    before: (world, host) => world.knownToOthers(host),
    after: (world, _, records) => world.obey(records),
    shows: fine,
    verifies: both(true),
  },
  {
    name: 'CNAME right in capitals and with a dot at its end',
    after(world, host, records) {
      world.obey(records)
      world.setAddresses(host, { CNAME: world.ownAlias.toUpperCase() })
    },
    shows: fine,
    verifies: both(true),
  },
  {
    name: 'A right, at the top of a domain',
    apex: true,
    after: (world, _, records) => world.obey(records),
    shows: both({ attached: true, configured: true, errorCode: null, states: { A: 'ok' } }),
    verifies: both(true),
  },
  {
    name: 'A wrong',
    apex: true,
    after(world, host, records) {
      world.obey(records)
      world.setAddresses(host, { A: ['203.0.113.9'] })
    },
    shows: both({ attached: true, configured: false, errorCode: null, states: { A: 'different' } }),
    verifies: both(false),
  },
  {
    name: 'CNAME wrong',
    after(world, host, records) {
      world.obey(records)
      world.setAddresses(host, { CNAME: 'edge.somebody.example' })
    },
    shows: both({ attached: true, configured: false, errorCode: null, states: { CNAME: 'different' } }),
    verifies: both(false),
  },
  {
    name: 'an extra AAAA record that points elsewhere',
    apex: true,
    after(world, host, records) {
      world.obey(records)
      world.setAddresses(host, { AAAA: ['2001:db8::9'] })
    },
    shows: both({ attached: true, configured: false, errorCode: null, states: { A: 'ok', AAAA: 'different' } }),
    verifies: both(false),
    conflicts: [/AAAA.*2001:db8::9/],
  },
  {
    name: 'an extra A record that points elsewhere',
    apex: true,
    after(world, host, records) {
      world.obey(records)
      world.setAddresses(host, { A: [world.ownAddress, '203.0.113.9'] })
    },
    shows: notConfigured,
    verifies: both(false),
    conflicts: [/A record.*203\.0\.113\.9/],
  },
  {
    name: 'CAA that allows only another authority',
    apex: true,
    after(world, host, records) {
      world.obey(records)
      world.allowCertificatesOf(host, 'another-ca.example')
    },
    shows: both({ attached: true, configured: false, errorCode: null, states: { CAA: 'different' } }),
    verifies: both(false),
    conflicts: [/CAA.*another-ca\.example/],
  },
  {
    name: 'CAA that allows ours',
    apex: true,
    after(world, host, records) {
      world.obey(records)
      world.allowCertificatesOf(host, 'letsencrypt.org')
    },
    shows: fine,
    verifies: both(true),
  },
  {
    name: 'SERVFAIL',
    after(world, _, records) {
      world.obey(records)
      world.fail('servfail')
    },
    shows: unknown,
    verifies: both(false),
  },
  {
    name: 'no answer in time',
    after(world, _, records) {
      world.obey(records)
      world.fail('silence')
    },
    shows: unknown,
    verifies: both(false),
  },
  {
    name: 'too many questions: 429, REFUSED',
    after(world, _, records) {
      world.obey(records)
      world.fail('too many')
    },
    shows: {
      vercel: { attached: false, configured: false, errorCode: 'rate_limited' },
      dns: { attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' },
    },
    verifies: both(false),
  },
  {
    name: 'removed out of band',
    after(world, host, records) {
      world.obey(records)
      world.removeOutOfBand(host)
    },
    shows: {
      vercel: { attached: false, configured: false, errorCode: '404' },
      dns: { attached: true, configured: true, errorCode: null, states: { TXT: 'missing' } },
    },
    verifies: both(false),
  },
]
