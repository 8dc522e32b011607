import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import type { HostingWorld } from './hosting-world.ts'

type PerDriver<Value> = Record<HostingDriver['name'], Value>

export interface HostingCase {
  name: string
  /** An apex domain instead of a subdomain. */
  isApex?: true
  beforeAdd?(world: HostingWorld, host: string): void
  /** `records` are those that the status requires. */
  afterAdd?(world: HostingWorld, host: string, records: DnsRecord[]): void
  /** Error code with which adding is refused, if it is. */
  refused?: PerDriver<string | null>
  /** The status after adding. */
  shows: PerDriver<{
    attached: boolean
    configured: boolean
    errorCode: string | null
    states?: Record<string, string>
  }>
  verifies: PerDriver<boolean>
  conflicts?: RegExp[]
}

const expectFromBoth = <Value>(value: Value): PerDriver<Value> => ({ vercel: value, dns: value })
const configured = expectFromBoth({ attached: true, configured: true, errorCode: null })
const notConfigured = expectFromBoth({ attached: true, configured: false, errorCode: null })
const dnsUnknown = expectFromBoth({ attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' })

const findRoutingRecords = (records: DnsRecord[]) => records.filter(({ type }) => type !== 'TXT')
const findOwnershipRecord = (records: DnsRecord[]) => records.find(({ type }) => type === 'TXT') as DnsRecord

export const hostingCases: HostingCase[] = [
  {
    name: 'no valid token: every request is refused',
    beforeAdd: (world) => world.refuseEverything(),
    refused: { vercel: '403', dns: null },
    shows: {
      vercel: { attached: false, configured: false, errorCode: '403' },
      dns: { attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' },
    },
    verifies: expectFromBoth(false),
  },
  {
    name: 'wrong project: the domain is not in it',
    beforeAdd: (world) => world.switchProject(),
    refused: { vercel: '404', dns: null },
    shows: {
      vercel: { attached: false, configured: false, errorCode: null },
      dns: { attached: true, configured: false, errorCode: null },
    },
    verifies: expectFromBoth(false),
  },
  {
    name: 'taken by another project',
    beforeAdd: (world, host) => world.claimForOtherProject(host),
    refused: { vercel: 'domain_already_in_use', dns: null },
    shows: {
      vercel: { attached: false, configured: false, errorCode: null },
      dns: { attached: true, configured: false, errorCode: null, states: { CNAME: 'different', TXT: 'missing' } },
    },
    verifies: expectFromBoth(false),
  },
  {
    name: 'nothing set yet',
    shows: notConfigured,
    verifies: expectFromBoth(false),
  },
  {
    name: 'TXT pending: it points here without proof of ownership',
    beforeAdd: (world, host) => world.requireOwnershipProof(host),
    afterAdd: (world, _, records) => world.applyRecords(findRoutingRecords(records)),
    shows: expectFromBoth({
      attached: true,
      configured: true,
      errorCode: null,
      states: { TXT: 'missing', CNAME: 'ok' },
    }),
    verifies: expectFromBoth(false),
  },
  {
    name: 'TXT wrong by one character',
    beforeAdd: (world, host) => world.requireOwnershipProof(host),
    afterAdd(world, _, records) {
      world.applyRecords(findRoutingRecords(records))
      world.setWrongProof(findOwnershipRecord(records))
    },
    shows: {
      // Vercel doesn't report the value it found.
      vercel: { attached: true, configured: true, errorCode: null, states: { TXT: 'missing' } },
      dns: { attached: true, configured: true, errorCode: null, states: { TXT: 'different' } },
    },
    verifies: expectFromBoth(false),
  },
  {
    name: 'TXT right and nothing points here',
    beforeAdd: (world, host) => world.requireOwnershipProof(host),
    afterAdd: (world, _, records) => world.applyRecords([findOwnershipRecord(records)]),
    shows: notConfigured,
    verifies: expectFromBoth(false),
  },
  {
    name: 'TXT and CNAME right',
    beforeAdd: (world, host) => world.requireOwnershipProof(host),
    afterAdd: (world, _, records) => world.applyRecords(records),
    shows: configured,
    verifies: expectFromBoth(true),
  },
  {
    name: 'CNAME right in capitals and with a dot at its end',
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.setAddresses(host, { CNAME: world.keeperAlias.toUpperCase() })
    },
    shows: configured,
    verifies: expectFromBoth(true),
  },
  {
    name: 'A right, at the top of a domain',
    isApex: true,
    afterAdd: (world, _, records) => world.applyRecords(records),
    shows: expectFromBoth({ attached: true, configured: true, errorCode: null, states: { A: 'ok' } }),
    verifies: expectFromBoth(true),
  },
  {
    name: 'A wrong',
    isApex: true,
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.setAddresses(host, { A: ['203.0.113.9'] })
    },
    shows: expectFromBoth({ attached: true, configured: false, errorCode: null, states: { A: 'different' } }),
    verifies: expectFromBoth(false),
  },
  {
    name: 'CNAME wrong',
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.setAddresses(host, { CNAME: 'edge.somebody.example' })
    },
    shows: expectFromBoth({ attached: true, configured: false, errorCode: null, states: { CNAME: 'different' } }),
    verifies: expectFromBoth(false),
  },
  {
    name: 'an extra AAAA record with another address',
    isApex: true,
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.setAddresses(host, { AAAA: ['2001:db8::9'] })
    },
    shows: expectFromBoth({
      attached: true,
      configured: false,
      errorCode: null,
      states: { A: 'ok', AAAA: 'different' },
    }),
    verifies: expectFromBoth(false),
    conflicts: [/AAAA.*2001:db8::9/],
  },
  {
    name: 'an extra A record with another address',
    isApex: true,
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.setAddresses(host, { A: [world.keeperAddress, '203.0.113.9'] })
    },
    shows: notConfigured,
    verifies: expectFromBoth(false),
    conflicts: [/A record.*203\.0\.113\.9/],
  },
  {
    name: 'CAA that allows only another authority',
    isApex: true,
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.allowCertificateAuthority(host, 'another-ca.example')
    },
    shows: expectFromBoth({ attached: true, configured: false, errorCode: null, states: { CAA: 'different' } }),
    verifies: expectFromBoth(false),
    conflicts: [/CAA.*another-ca\.example/],
  },
  {
    name: 'CAA that allows ours',
    isApex: true,
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.allowCertificateAuthority(host, 'letsencrypt.org')
    },
    shows: configured,
    verifies: expectFromBoth(true),
  },
  {
    name: 'SERVFAIL',
    afterAdd(world, _, records) {
      world.applyRecords(records)
      world.fail('servfail')
    },
    shows: dnsUnknown,
    verifies: expectFromBoth(false),
  },
  {
    name: 'no answer in time',
    afterAdd(world, _, records) {
      world.applyRecords(records)
      world.fail('silence')
    },
    shows: dnsUnknown,
    verifies: expectFromBoth(false),
  },
  {
    name: 'too many requests: 429, REFUSED',
    afterAdd(world, _, records) {
      world.applyRecords(records)
      world.fail('rate limit')
    },
    shows: {
      vercel: { attached: false, configured: false, errorCode: 'rate_limited' },
      dns: { attached: true, configured: false, errorCode: 'DNS_CONFIG_ERROR' },
    },
    verifies: expectFromBoth(false),
  },
  {
    name: 'removed without Keeper',
    afterAdd(world, host, records) {
      world.applyRecords(records)
      world.removeWithoutKeeper(host)
    },
    shows: {
      vercel: { attached: false, configured: false, errorCode: '404' },
      dns: { attached: true, configured: true, errorCode: null, states: { TXT: 'missing' } },
    },
    verifies: expectFromBoth(false),
  },
]
