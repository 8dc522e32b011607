import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DnsFake, startDnsFake } from '#tests/fakes/dns-server.ts'
import { createDnsDriver, type Edge } from './create-hosting.ts'
import { createDnsQuery } from './dns-query.ts'

const token = '0123456789abcdef0123'
const host = 'memories.willowbrook.com'

describe('the dns driver with two name servers', () => {
  let one: DnsFake
  let other: DnsFake
  beforeEach(async () => {
    one = await startDnsFake()
    other = await startDnsFake()
  })
  afterEach(() => Promise.all([one.close(), other.close()]))

  const everywhere = (name: string, records: Parameters<DnsFake['records']['set']>[1]) => {
    for (const { records: existing } of [one, other]) existing.set(name, records)
  }
  const proven = (hostname = host) =>
    everywhere(`_keeper.${hostname}`, { TXT: ['unrelated', `keeper-domain-verify=${hostname},${token}`] })
  const getStatus = (hostname = host, edge: Partial<Edge> = {}) => {
    const queryDns = createDnsQuery([one.address, other.address], { timeoutMs: 10_000, tries: 1 })
    const driver = createDnsDriver({ edgeHost: 'edge.keeper.example', edgeIps: ['192.0.2.10'], ...edge }, queryDns)
    return driver.status({ hostname, token, attachedAt: 1 })
  }

  it("shows each name server's answer; a partial record is missing", async () => {
    proven()
    everywhere(host, { CNAME: 'Edge.Keeper.Example' })
    other.records.delete(`_keeper.${host}`)
    const { verified, configured, records } = await getStatus()
    expect({ verified, configured }).toEqual({ verified: false, configured: true })
    expect(records[0]).toEqual({
      type: 'TXT',
      domain: `_keeper.${host}`,
      value: `keeper-domain-verify=${host},${token}`,
      found: [
        { resolver: one.address, values: ['unrelated', `keeper-domain-verify=${host},${token}`], error: null },
        { resolver: other.address, values: [], error: null },
      ],
      state: 'missing',
      reason: expect.stringContaining('yours'),
    })
    expect(records[1]).toMatchObject({ type: 'CNAME', value: 'edge.keeper.example', state: 'ok' })
  })

  it('a failing name server makes the result inconclusive', async () => {
    proven()
    everywhere(host, { CNAME: 'edge.keeper.example' })
    expect((await getStatus()).verified).toBe(true)
    for (const question of [`TXT _keeper.${host}`, `CNAME ${host}`, `AAAA ${host}`, `CAA ${host}`]) {
      other.faults.set(question, 'servfail')
      const status = await getStatus()
      expect(status).toMatchObject({ attached: true, verified: false, errorCode: 'DNS_CONFIG_ERROR' })
      expect(status.error).toBe('Failed to load DNS configuration. Please try again.')
      expect(status.conflicts).toEqual([])
      expect(status.records.find(({ state }) => state === 'unknown')?.found[1]).toMatchObject({
        error: 'failed to look up the record',
      })
      other.faults.clear()
    }
  })

  it('joins a TXT record that arrives in chunks', async () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.willowbrook.com`
    everywhere(long, { CNAME: 'edge.keeper.example' })
    const value = `keeper-domain-verify=${long},${token}`
    everywhere(`_keeper.${long}`, { TXT: [[value.slice(0, 100), value.slice(100, 102), value.slice(102)]] })
    expect(await getStatus(long)).toMatchObject({ verified: true })
    everywhere(`_keeper.${long}`, { TXT: [value.slice(0, 100), value.slice(100)] })
    expect(await getStatus(long)).toMatchObject({ verified: false, configured: true })
  })

  it('ignores records of names below or above', async () => {
    proven('willowbrook.com')
    everywhere(host, { CNAME: 'edge.keeper.example' })
    expect(await getStatus()).toMatchObject({ configured: true, verified: false })
  })

  it('follows alias chains to their end', async () => {
    proven()
    everywhere(host, { CNAME: 'pages.willowbrook.com' })
    everywhere('pages.willowbrook.com', { A: ['192.0.2.10'] })
    expect(await getStatus()).toMatchObject({ verified: true, configuredBy: 'A' })
    everywhere('pages.willowbrook.com', { A: ['192.0.2.11'] })
    expect(await getStatus()).toMatchObject({ configured: false, configuredBy: null })
  })

  it("uses the edge host's addresses if none are set", async () => {
    proven('willowbrook.com')
    everywhere('edge.keeper.example', { A: ['192.0.2.40'], AAAA: ['2001:db8::40'] })
    everywhere('willowbrook.com', { A: ['192.0.2.40'], AAAA: ['2001:db8::40'] })
    const edge = { edgeIps: [] }
    const status = await getStatus('willowbrook.com', edge)
    expect(status).toMatchObject({ verified: true, configuredBy: 'A', conflicts: [] })
    expect(status.records[1]).toMatchObject({ type: 'CNAME', reason: expect.stringContaining('ALIAS') })
    everywhere('willowbrook.com', { A: ['192.0.2.40'], AAAA: ['2001:db8::41'] })
    expect((await getStatus('willowbrook.com', edge)).configured).toBe(false)
    other.faults.set('edge.keeper.example', 'refused')
    expect((await getStatus('willowbrook.com', edge)).errorCode).toBe('DNS_CONFIG_ERROR')
  })

  it("uses the edge host's IPv6 addresses if only IPv4 ones are set", async () => {
    proven('willowbrook.com')
    everywhere('edge.keeper.example', { A: ['192.0.2.10'], AAAA: ['2001:db8::40'] })
    everywhere('willowbrook.com', { A: ['192.0.2.10'], AAAA: ['2001:db8::40'] })
    expect(await getStatus('willowbrook.com')).toMatchObject({ verified: true, configuredBy: 'A', conflicts: [] })
    other.faults.set('AAAA edge.keeper.example', 'servfail')
    expect((await getStatus('willowbrook.com')).errorCode).toBe('DNS_CONFIG_ERROR')
    other.faults.clear()
    everywhere('willowbrook.com', { A: ['192.0.2.10'], AAAA: ['2001:db8::41'] })
    expect((await getStatus('willowbrook.com')).configured).toBe(false)
  })

  it("accepts the edge's IPv6 addresses", async () => {
    proven()
    everywhere(host, { A: ['192.0.2.10'], AAAA: ['2001:db8::10'] })
    expect((await getStatus()).configured).toBe(false)
    expect((await getStatus(host, { edgeIps: ['192.0.2.10', '2001:db8::10'] })).configured).toBe(true)
  })

  it('the nearest CAA record up to the registrable domain counts', async () => {
    proven()
    everywhere(host, { CNAME: 'edge.keeper.example' })
    everywhere('com', { CAA: [{ tag: 'issue', value: 'another-ca.example' }] })
    expect((await getStatus()).configured).toBe(true)
    everywhere('willowbrook.com', { CAA: [{ tag: 'issue', value: 'another-ca.example' }] })
    const status = await getStatus()
    expect(status).toMatchObject({ configured: false, verified: false })
    expect(status.records.at(-1)).toMatchObject({ type: 'CAA', value: '0 issue "letsencrypt.org"', state: 'different' })
    everywhere(host, { A: ['192.0.2.10'], CAA: [{ tag: 'issue', value: 'letsencrypt.org; accounturi=x' }] })
    expect((await getStatus()).configured).toBe(true)
    // Forbids every issuer.
    everywhere(host, { A: ['192.0.2.10'], CAA: [{ tag: 'issue', value: ';' }] })
    expect((await getStatus()).configured).toBe(false)
    // Only a report address; forbids nothing.
    everywhere(host, { A: ['192.0.2.10'], CAA: [{ tag: 'iodef', value: 'mailto:ada@willowbrook.example' }] })
    expect((await getStatus()).configured).toBe(true)
  })

  it('queries nothing for a name that was never added', async () => {
    const queryDns = createDnsQuery([one.address])
    const driver = createDnsDriver({ edgeHost: 'edge.keeper.example', edgeIps: [] }, queryDns)
    await driver.status({ hostname: host, token, attachedAt: null })
    expect(one.questions).toEqual([])
  })
})
