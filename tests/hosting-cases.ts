import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import type { HostingWorld } from './hosting-world.ts'

type OfEach<Value> = Record<HostingDriver['name'], Value>

export interface HostingCase {
  name: string
  /** At the top of a domain rather than below it. */
  apex?: true
  /** Before it is added. */
  before?(world: HostingWorld, host: string): void
  /** After it was added; `records` are what its status asks for. */
  after?(world: HostingWorld, host: string, records: DnsRecord[]): void
  /** With which code adding it is refused, where it is. */
  refused?: OfEach<string | null>
  /** What a status says then. */
  shows: OfEach<{ attached: boolean; configured: boolean; errorCode: string | null; states?: Record<string, string> }>
  /** Whether verifying succeeds. */
  verifies: OfEach<boolean>
  /** A part of each conflict, in words. */
  conflicts?: RegExp[]
}

const both = <Value>(value: Value): OfEach<Value> => ({ vercel: value, dns: value })
const fine = both({ attached: true, configured: true, errorCode: null })
const notConfigured = both({ attached: true, configured: false, errorCode: null })
const unknown = both({ attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' })

const routing = (records: DnsRecord[]) => records.filter(({ type }) => type !== 'TXT')
const ownership = (records: DnsRecord[]) => records.find(({ type }) => type === 'TXT') as DnsRecord

/** What may happen to a custom domain, whichever driver serves it (the list of custom-domains.md). */
export const hostingCases: HostingCase[] = [
  {
    name: 'no token: nobody is allowed to ask',
    before: (world) => world.refuseEverything(),
    refused: { vercel: '403', dns: null },
    shows: {
      vercel: { attached: false, configured: false, errorCode: '403' },
      dns: { attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' },
    },
    verifies: both(false),
  },
  {
    name: 'wrong project: it is looked for where it is not',
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
    name: 'TXT pending: it leads here, and nobody has proven whose it is',
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
      // Vercel does not say what it found.
      vercel: { attached: true, configured: true, errorCode: null, states: { TXT: 'missing' } },
      dns: { attached: true, configured: true, errorCode: null, states: { TXT: 'different' } },
    },
    verifies: both(false),
  },
  {
    name: 'TXT right and nothing leads here',
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
    name: 'an AAAA beside it that leads elsewhere',
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
    name: 'an A beside it that leads elsewhere',
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
    name: 'CAA that allows another authority alone',
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
