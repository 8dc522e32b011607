import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { createDnsDriver } from '#server/domains/hosting/dns-driver.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import { createNameServers } from '#server/domains/hosting/name-servers.ts'
import { createVercelDriver } from '#server/domains/hosting/vercel-driver.ts'
import { type DnsFake, type DnsRecords, type DnsTrouble, startDnsFake } from './fakes/dns-server.ts'
import { type HostingFake, startHostingFake } from './fakes/hosting-api.ts'

export const edgeHost = 'edge.keeper.example'
export const edgeIp = '192.0.2.10'

/** The world outside as a hosting driver finds it, and what may happen in it. The same for both drivers. */
export interface HostingWorld {
  driver: HostingDriver
  /** What the settings need for that driver. */
  environment: Record<string, string>
  dns: DnsFake
  /** Milliseconds the driver waited between tries, without any passing. */
  waits: number[]
  /** Ownership has to be proven first: with `dns` it always has. */
  knownToOthers(host: string): void
  /** Sets the records that a status asks for, as whoever holds the name would. */
  obey(records: DnsRecord[]): void
  setAddresses(host: string, addresses: { A?: string[]; AAAA?: string[]; CNAME?: string }): void
  /** The right address beside whatever is set. */
  ownAddress: string
  ownAlias: string
  allowCertificatesOf(host: string, authority: string): void
  /** The TXT record of that name holds something else. */
  proveWrongly(record: DnsRecord): void
  fail(how: 'servfail' | 'silence' | 'too many'): void
  refuseEverything(): void
  misplace(): void
  takeElsewhere(host: string): void
  /** Somebody removes it behind Keeper's back. */
  removeOutOfBand(host: string): void
  recover(): void
  close(): Promise<void>
}

const patient = { timeoutMs: 10_000, tries: 1 }
/** For where nobody answers anyway. */
const impatient = { timeoutMs: 100, tries: 1 }

/** One driver that a world may put another one in the place of. */
function changeable(make: (patience: typeof patient) => HostingDriver) {
  let present = make(patient)
  const driver: HostingDriver = {
    name: present.name,
    attach: (name) => present.attach(name),
    status: (name) => present.status(name),
    verify: (name) => present.verify(name),
    detach: (name) => present.detach(name),
  }
  return {
    driver,
    bePatient(yes: boolean) {
      present = make(yes ? patient : impatient)
    },
  }
}

export async function startDnsWorld(): Promise<HostingWorld> {
  const [dns, second] = await Promise.all([startDnsFake(), startDnsFake()])
  // Both know the same; a test may have one know less.
  Object.assign(second, { records: dns.records })
  dns.records.set(edgeHost, { A: [edgeIp] })
  const { driver, bePatient } = changeable((patience) =>
    createDnsDriver({ edgeHost, edgeIps: [edgeIp] }, createNameServers([dns.address, second.address], patience)),
  )
  const trouble: Record<string, DnsTrouble> = { servfail: 'servfail', silence: 'silence', 'too many': 'refused' }
  const at = (name: string): DnsRecords => {
    const known = dns.records.get(name) ?? {}
    dns.records.set(name, known)
    return known
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
    knownToOthers: () => {},
    obey: (records) => obeyIn(dns, records),
    setAddresses: (host, addresses) => void dns.records.set(host, { ...at(host), ...addresses }),
    ownAddress: edgeIp,
    ownAlias: edgeHost,
    allowCertificatesOf: (host, value) => void Object.assign(at(host), { CAA: [{ tag: 'issue', value }] }),
    proveWrongly: ({ domain, value }) => void dns.records.set(domain, { TXT: [`${value.slice(0, -1)}!`] }),
    fail(how) {
      bePatient(how !== 'silence')
      dns.trouble.set('*', trouble[how] ?? 'servfail')
    },
    refuseEverything: () => void dns.trouble.set('*', 'refused'),
    misplace() {},
    takeElsewhere: (host) => void dns.records.set(host, { CNAME: 'somebody.elses.example' }),
    removeOutOfBand: (host) => void dns.records.delete(`_keeper.${host}`),
    recover() {
      bePatient(true)
      dns.trouble.clear()
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
  const ownAddress = '216.198.79.1'
  const ownAlias = 'd1d4fc829fe7bc7c.vercel-dns-017.com'
  const { driver, bePatient } = changeable((patience) =>
    createVercelDriver(access, {
      fetch: (address, init) => fetch(address, init),
      sleep: async (ms) => void waits.push(ms),
      nameServers: createNameServers([dns.address], patience),
      timeoutMs: patience.timeoutMs,
    }),
  )
  const alike = (host: string) => api.host(host).dns
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
    knownToOthers: (host) => void Object.assign(api.host(host), { elsewhere: 'account' }),
    obey(records) {
      obeyIn(dns, records)
      for (const { type, domain, value, state } of records) {
        if (state === 'unknown' || value === '') continue
        if (type === 'A') alike(domain).a = [value]
        if (type === 'CNAME') alike(domain).cname = [value]
        if (type === 'TXT') alike(hostIn(value)).txt.push(value)
      }
    },
    setAddresses: (host, { A, AAAA, CNAME }) =>
      void Object.assign(alike(host), {
        ...(A && { a: A }),
        ...(AAAA && { aaaa: AAAA }),
        ...(CNAME && { cname: [CNAME] }),
      }),
    ownAddress,
    ownAlias,
    allowCertificatesOf: (host, authority) => void Object.assign(alike(host), { caa: [authority] }),
    proveWrongly: ({ value }) => void alike(hostIn(value)).txt.push(`${value.slice(0, -1)}!`),
    fail(how) {
      bePatient(how !== 'silence')
      api.fail({ contains: how === 'too many' ? 'GET /v9' : '/config', status: status[how], times: 99 })
    },
    refuseEverything: () => {
      api.token = 'another-token'
    },
    misplace: () => {
      api.projectId = 'prj_another'
    },
    takeElsewhere: (host) => void Object.assign(api.host(host), { elsewhere: 'project' }),
    removeOutOfBand: (host) => void Object.assign(api.host(host), { added: false, verified: false }),
    recover() {
      bePatient(true)
      api.recover()
      Object.assign(api, { token, projectId })
    },
    close: async () => {
      await Promise.all([api.close(), dns.close()])
    },
  }
}

export const hostingWorlds = { vercel: startVercelWorld, dns: startDnsWorld }

function obeyIn(dns: DnsFake, records: DnsRecord[]): void {
  for (const { type, domain, value, state } of records) {
    if (state === 'unknown' || value === '') continue
    if (type === 'A') dns.records.set(domain, { A: [value] })
    if (type === 'CNAME') dns.records.set(domain, { CNAME: value })
    if (type === 'TXT') dns.records.set(domain, { TXT: [value] })
  }
}

/** `…-domain-verify=<host>,<token>` */
function hostIn(value: string): string {
  return value.split('=')[1]?.split(',')[0] ?? ''
}
