import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { createDnsDriver } from '#server/domains/hosting/create-hosting.ts'
import { createDnsQuery } from '#server/domains/hosting/dns-query.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import { createVercelDriver } from '#server/domains/hosting/vercel-driver.ts'
import { type DnsFake, type DnsFault, type DnsRecords, startDnsFake } from './fakes/dns-server.ts'
import { type HostingFake, startHostingFake } from './fakes/hosting-api.ts'

export const edgeHost = 'edge.keeper.example'
export const edgeIp = '192.0.2.10'

/** The outside world of a hosting driver and what can happen in it, the same for both drivers. */
export interface HostingWorld {
  driver: HostingDriver
  /** Settings for this driver. */
  environment: Record<string, string>
  dns: DnsFake
  /** The driver's virtual waits between attempts. */
  waitsMs: number[]
  /** Requires proof of ownership; the `dns` driver always does. */
  requireOwnershipProof(host: string): void
  /** Sets the requested records, as the owner of the name would. */
  applyRecords(records: DnsRecord[]): void
  setAddresses(host: string, addresses: { A?: string[]; AAAA?: string[]; CNAME?: string }): void
  /** The correct address, for use next to conflicting ones. */
  keeperAddress: string
  keeperAlias: string
  allowCertificateAuthority(host: string, authority: string): void
  /** Stores a value in that TXT record that differs in its last character. */
  setWrongProof(record: DnsRecord): void
  fail(fault: 'servfail' | 'silence' | 'rate limit'): void
  refuseEverything(): void
  /** Makes the configured project a different one. */
  switchProject(): void
  claimForOtherProject(host: string): void
  removeWithoutKeeper(host: string): void
  recover(): void
  close(): Promise<void>
}

const defaultTiming = { timeoutMs: 10_000, tries: 1 }
/** For servers that never answer. */
const shortTiming = { timeoutMs: 100, tries: 1 }

function createSwappableDriver(createDriver: (timing: typeof defaultTiming) => HostingDriver) {
  let currentDriver = createDriver(defaultTiming)
  const driver: HostingDriver = {
    name: currentDriver.name,
    attach: (name) => currentDriver.attach(name),
    status: (name) => currentDriver.status(name),
    verify: (name) => currentDriver.verify(name),
    detach: (name) => currentDriver.detach(name),
  }
  return {
    driver,
    setTiming(timing: typeof defaultTiming) {
      currentDriver = createDriver(timing)
    },
  }
}

export async function startDnsWorld(): Promise<HostingWorld> {
  const [dns, second] = await Promise.all([startDnsFake(), startDnsFake()])
  // Both DNS servers serve the same records.
  Object.assign(second, { records: dns.records })
  dns.records.set(edgeHost, { A: [edgeIp] })
  const { driver, setTiming } = createSwappableDriver((timing) =>
    createDnsDriver({ edgeHost, edgeIps: [edgeIp] }, createDnsQuery([dns.address, second.address], timing)),
  )
  const dnsFaults: Record<string, DnsFault> = { servfail: 'servfail', silence: 'silence', 'rate limit': 'refused' }
  const getRecords = (name: string): DnsRecords => {
    const hostRecords = dns.records.get(name) ?? {}
    dns.records.set(name, hostRecords)
    return hostRecords
  }
  return {
    driver,
    environment: {
      CUSTOM_DOMAIN_DRIVER: 'dns',
      KEEPER_DNS_SERVERS: `${dns.address},${second.address}`,
      KEEPER_EDGE_HOST: edgeHost,
      KEEPER_EDGE_IPS: edgeIp,
    },
    dns,
    waitsMs: [],
    requireOwnershipProof: () => {},
    applyRecords: (records) => applyRecordsTo(dns, records),
    setAddresses: (host, addresses) => void dns.records.set(host, { ...getRecords(host), ...addresses }),
    keeperAddress: edgeIp,
    keeperAlias: edgeHost,
    allowCertificateAuthority: (host, value) =>
      void Object.assign(getRecords(host), { CAA: [{ tag: 'issue', value }] }),
    setWrongProof: ({ domain, value }) => void dns.records.set(domain, { TXT: [`${value.slice(0, -1)}!`] }),
    fail(fault) {
      setTiming(fault === 'silence' ? shortTiming : defaultTiming)
      dns.faults.set('*', dnsFaults[fault] ?? 'servfail')
    },
    refuseEverything: () => void dns.faults.set('*', 'refused'),
    switchProject() {},
    claimForOtherProject: (host) => void dns.records.set(host, { CNAME: 'another-host.example' }),
    removeWithoutKeeper: (host) => void dns.records.delete(`_keeper.${host}`),
    recover() {
      setTiming(defaultTiming)
      dns.faults.clear()
    },
    close: async () => {
      await Promise.all([dns.close(), second.close()])
    },
  }
}

export async function startVercelWorld(): Promise<HostingWorld & { api: HostingFake }> {
  const [api, dns] = await Promise.all([startHostingFake(), startDnsFake()])
  const waitsMs: number[] = []
  const status = { servfail: 500, silence: 0, 'rate limit': 429 }
  const { token, projectId } = api
  const access = { baseUrl: api.url, token, projectId, teamId: null }
  const keeperAddress = '216.198.79.1'
  const keeperAlias = 'd1d4fc829fe7bc7c.vercel-dns-017.com'
  const { driver, setTiming } = createSwappableDriver((timing) =>
    createVercelDriver(access, {
      fetch: (address, init) => fetch(address, init),
      sleep: async (ms) => void waitsMs.push(ms),
      queryDns: createDnsQuery([dns.address], timing),
      timeoutMs: timing.timeoutMs,
    }),
  )
  const getHostDns = (host: string) => api.host(host).dns
  return {
    driver,
    environment: {
      CUSTOM_DOMAIN_DRIVER: 'vercel',
      VERCEL_API_BASE_URL: api.url,
      VERCEL_TOKEN: token,
      VERCEL_PROJECT_ID: projectId,
      KEEPER_DNS_SERVERS: dns.address,
    },
    api,
    dns,
    waitsMs,
    requireOwnershipProof: (host) => void Object.assign(api.host(host), { otherOwner: 'account' }),
    applyRecords(records) {
      applyRecordsTo(dns, records)
      for (const { type, domain, value, state } of records) {
        if (state === 'unknown' || value === '') continue
        if (type === 'A') getHostDns(domain).a = [value]
        if (type === 'CNAME') getHostDns(domain).cname = [value]
        if (type === 'TXT') getHostDns(parseHost(value)).txt.push(value)
      }
    },
    setAddresses: (host, { A, AAAA, CNAME }) =>
      void Object.assign(getHostDns(host), {
        ...(A && { a: A }),
        ...(AAAA && { aaaa: AAAA }),
        ...(CNAME && { cname: [CNAME] }),
      }),
    keeperAddress,
    keeperAlias,
    allowCertificateAuthority: (host, authority) => void Object.assign(getHostDns(host), { caa: [authority] }),
    setWrongProof: ({ value }) => void getHostDns(parseHost(value)).txt.push(`${value.slice(0, -1)}!`),
    fail(fault) {
      setTiming(fault === 'silence' ? shortTiming : defaultTiming)
      api.fail({ contains: fault === 'rate limit' ? 'GET /v9' : '/config', status: status[fault], times: 99 })
    },
    refuseEverything: () => {
      api.token = 'another-token'
    },
    switchProject: () => {
      api.projectId = 'prj_another'
    },
    claimForOtherProject: (host) => void Object.assign(api.host(host), { otherOwner: 'project' }),
    removeWithoutKeeper: (host) => void Object.assign(api.host(host), { added: false, verified: false }),
    recover() {
      setTiming(defaultTiming)
      api.recover()
      Object.assign(api, { token, projectId })
    },
    close: async () => {
      await Promise.all([api.close(), dns.close()])
    },
  }
}

export const hostingWorlds = { vercel: startVercelWorld, dns: startDnsWorld }

function applyRecordsTo(dns: DnsFake, records: DnsRecord[]): void {
  for (const { type, domain, value, state } of records) {
    if (state === 'unknown' || value === '') continue
    if (type === 'A') dns.records.set(domain, { A: [value] })
    if (type === 'CNAME') dns.records.set(domain, { CNAME: value })
    if (type === 'TXT') dns.records.set(domain, { TXT: [value] })
  }
}

function parseHost(value: string): string {
  return value.split('=')[1]?.split(',')[0] ?? ''
}
