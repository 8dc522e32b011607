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
  /** Virtual milliseconds the driver waited between attempts. */
  waits: number[]
  /** Requires proof of ownership; the `dns` driver always does. */
  requireOwnershipProof(host: string): void
  /** Sets the requested records, as the owner of the name would. */
  applyRecords(records: DnsRecord[]): void
  setAddresses(host: string, addresses: { A?: string[]; AAAA?: string[]; CNAME?: string }): void
  /** The correct address, for use next to conflicting ones. */
  keeperAddress: string
  keeperAlias: string
  allowCertificateAuthority(host: string, authority: string): void
  /** Stores a wrong value in that TXT record. */
  proveWrongly(record: DnsRecord): void
  fail(fault: 'servfail' | 'silence' | 'too many'): void
  refuseEverything(): void
  misplace(): void
  claimForOtherProject(host: string): void
  /** Removes the host without Keeper. */
  removeOutOfBand(host: string): void
  recover(): void
  close(): Promise<void>
}

const patientTiming = { timeoutMs: 10_000, tries: 1 }
/** For servers that never answer. */
const impatientTiming = { timeoutMs: 100, tries: 1 }

function createSwappableDriver(createDriver: (timing: typeof patientTiming) => HostingDriver) {
  let currentDriver = createDriver(patientTiming)
  const driver: HostingDriver = {
    name: currentDriver.name,
    attach: (name) => currentDriver.attach(name),
    status: (name) => currentDriver.status(name),
    verify: (name) => currentDriver.verify(name),
    detach: (name) => currentDriver.detach(name),
  }
  return {
    driver,
    setPatient(yes: boolean) {
      currentDriver = createDriver(yes ? patientTiming : impatientTiming)
    },
  }
}

export async function startDnsWorld(): Promise<HostingWorld> {
  const [dns, second] = await Promise.all([startDnsFake(), startDnsFake()])
  // Both DNS servers serve the same records.
  Object.assign(second, { records: dns.records })
  dns.records.set(edgeHost, { A: [edgeIp] })
  const { driver, setPatient } = createSwappableDriver((timing) =>
    createDnsDriver({ edgeHost, edgeIps: [edgeIp] }, createDnsQuery([dns.address, second.address], timing)),
  )
  const dnsFaults: Record<string, DnsFault> = { servfail: 'servfail', silence: 'silence', 'too many': 'refused' }
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
    waits: [],
    requireOwnershipProof: () => {},
    applyRecords: (records) => applyRecordsTo(dns, records),
    setAddresses: (host, addresses) => void dns.records.set(host, { ...getRecords(host), ...addresses }),
    keeperAddress: edgeIp,
    keeperAlias: edgeHost,
    allowCertificateAuthority: (host, value) =>
      void Object.assign(getRecords(host), { CAA: [{ tag: 'issue', value }] }),
    proveWrongly: ({ domain, value }) => void dns.records.set(domain, { TXT: [`${value.slice(0, -1)}!`] }),
    fail(fault) {
      setPatient(fault !== 'silence')
      dns.faults.set('*', dnsFaults[fault] ?? 'servfail')
    },
    refuseEverything: () => void dns.faults.set('*', 'refused'),
    misplace() {},
    claimForOtherProject: (host) => void dns.records.set(host, { CNAME: 'somebody.elses.example' }),
    removeOutOfBand: (host) => void dns.records.delete(`_keeper.${host}`),
    recover() {
      setPatient(true)
      dns.faults.clear()
    },
    close: async () => {
      await Promise.all([dns.close(), second.close()])
    },
  }
}

export async function startVercelWorld(): Promise<HostingWorld & { api: HostingFake }> {
  const [api, dns] = await Promise.all([startHostingFake(), startDnsFake()])
  const waits: number[] = []
  const status = { servfail: 500, silence: 0, 'too many': 429 }
  const { token, projectId } = api
  const access = { baseUrl: api.url, token, projectId, teamId: null }
  const keeperAddress = '216.198.79.1'
  const keeperAlias = 'd1d4fc829fe7bc7c.vercel-dns-017.com'
  const { driver, setPatient } = createSwappableDriver((timing) =>
    createVercelDriver(access, {
      fetch: (address, init) => fetch(address, init),
      sleep: async (ms) => void waits.push(ms),
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
    waits,
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
    proveWrongly: ({ value }) => void getHostDns(parseHost(value)).txt.push(`${value.slice(0, -1)}!`),
    fail(fault) {
      setPatient(fault !== 'silence')
      api.fail({ contains: fault === 'too many' ? 'GET /v9' : '/config', status: status[fault], times: 99 })
    },
    refuseEverything: () => {
      api.token = 'another-token'
    },
    misplace: () => {
      api.projectId = 'prj_another'
    },
    claimForOtherProject: (host) => void Object.assign(api.host(host), { otherOwner: 'project' }),
    removeOutOfBand: (host) => void Object.assign(api.host(host), { added: false, verified: false }),
    recover() {
      setPatient(true)
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
