import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BadSetting, readSettings } from '#server/settings/settings.ts'
import { type DnsFake, startDnsFake } from '#tests/fakes/dns-server.ts'
import { recommendedCname, recommendedIp } from '#tests/fakes/hosting-api.ts'
import { type HostingWorld, hostingWorlds, startVercelWorld } from '#tests/hosting-world.ts'
import { createDnsDriver, type Edge } from './create-hosting.ts'
import { createDnsQuery } from './dns-query.ts'
import { type HostedDomain, HostingFailure } from './hosting-driver.ts'
import { createVercelDriver } from './vercel-driver.ts'

const token = '0123456789abcdef0123'
const host = 'memories.willowbrook.com'

describe('the dns driver with two name servers', () => {
  let firstServer: DnsFake
  let secondServer: DnsFake
  beforeEach(async () => {
    firstServer = await startDnsFake()
    secondServer = await startDnsFake()
  })
  afterEach(() => Promise.all([firstServer.close(), secondServer.close()]))

  const setOnAllServers = (name: string, records: Parameters<DnsFake['records']['set']>[1]) => {
    for (const { records: existing } of [firstServer, secondServer]) existing.set(name, records)
  }
  const setOwnershipRecord = (hostname = host) =>
    setOnAllServers(`_keeper.${hostname}`, { TXT: ['unrelated', `keeper-domain-verify=${hostname},${token}`] })
  const getStatus = (hostname = host, edge: Partial<Edge> = {}) => {
    const queryDns = createDnsQuery([firstServer.address, secondServer.address], { timeoutMs: 10_000, tries: 1 })
    const driver = createDnsDriver({ edgeHost: 'edge.keeper.example', edgeIps: ['192.0.2.10'], ...edge }, queryDns)
    return driver.status({ hostname, token, attachedAt: 1 })
  }

  it("shows each name server's answer; a partial record is missing", async () => {
    setOwnershipRecord()
    setOnAllServers(host, { CNAME: 'Edge.Keeper.Example' })
    secondServer.records.delete(`_keeper.${host}`)
    const { verified, configured, records } = await getStatus()
    expect({ verified, configured }).toEqual({ verified: false, configured: true })
    expect(records[0]).toEqual({
      type: 'TXT',
      domain: `_keeper.${host}`,
      value: `keeper-domain-verify=${host},${token}`,
      found: [
        { resolver: firstServer.address, values: ['unrelated', `keeper-domain-verify=${host},${token}`], error: null },
        { resolver: secondServer.address, values: [], error: null },
      ],
      state: 'missing',
      reason: expect.stringContaining('yours'),
    })
    expect(records[1]).toMatchObject({ type: 'CNAME', value: 'edge.keeper.example', state: 'ok' })
  })

  it('a failing name server makes the result inconclusive', async () => {
    setOwnershipRecord()
    setOnAllServers(host, { CNAME: 'edge.keeper.example' })
    expect((await getStatus()).verified).toBe(true)
    for (const query of [`TXT _keeper.${host}`, `CNAME ${host}`, `AAAA ${host}`, `CAA ${host}`]) {
      secondServer.faults.set(query, 'servfail')
      const status = await getStatus()
      expect(status).toMatchObject({ attached: true, verified: false, errorCode: 'DNS_CONFIG_ERROR' })
      expect(status.error).toBe('Failed to load DNS configuration. Please try again.')
      expect(status.conflicts).toEqual([])
      expect(status.records.find(({ state }) => state === 'unknown')?.found[1]).toMatchObject({
        error: 'failed to look up the record',
      })
      secondServer.faults.clear()
    }
  })

  it('joins a TXT record that arrives in chunks', async () => {
    const longName = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.willowbrook.com`
    setOnAllServers(longName, { CNAME: 'edge.keeper.example' })
    const value = `keeper-domain-verify=${longName},${token}`
    setOnAllServers(`_keeper.${longName}`, { TXT: [[value.slice(0, 100), value.slice(100, 102), value.slice(102)]] })
    expect(await getStatus(longName)).toMatchObject({ verified: true })
    setOnAllServers(`_keeper.${longName}`, { TXT: [value.slice(0, 100), value.slice(100)] })
    expect(await getStatus(longName)).toMatchObject({ verified: false, configured: true })
  })

  it('ignores records of names below or above', async () => {
    setOwnershipRecord('willowbrook.com')
    setOnAllServers(host, { CNAME: 'edge.keeper.example' })
    expect(await getStatus()).toMatchObject({ configured: true, verified: false })
  })

  it('follows alias chains to their end', async () => {
    setOwnershipRecord()
    setOnAllServers(host, { CNAME: 'pages.willowbrook.com' })
    setOnAllServers('pages.willowbrook.com', { A: ['192.0.2.10'] })
    expect(await getStatus()).toMatchObject({ verified: true, configuredBy: 'A' })
    setOnAllServers('pages.willowbrook.com', { A: ['192.0.2.11'] })
    expect(await getStatus()).toMatchObject({ configured: false, configuredBy: null })
  })

  it("uses the edge host's addresses if none are set", async () => {
    setOwnershipRecord('willowbrook.com')
    setOnAllServers('edge.keeper.example', { A: ['192.0.2.40'], AAAA: ['2001:db8::40'] })
    setOnAllServers('willowbrook.com', { A: ['192.0.2.40'], AAAA: ['2001:db8::40'] })
    const edge = { edgeIps: [] }
    const status = await getStatus('willowbrook.com', edge)
    expect(status).toMatchObject({ verified: true, configuredBy: 'A', conflicts: [] })
    expect(status.records[1]).toMatchObject({ type: 'CNAME', reason: expect.stringContaining('ALIAS') })
    setOnAllServers('willowbrook.com', { A: ['192.0.2.40'], AAAA: ['2001:db8::41'] })
    expect((await getStatus('willowbrook.com', edge)).configured).toBe(false)
    secondServer.faults.set('edge.keeper.example', 'refused')
    expect((await getStatus('willowbrook.com', edge)).errorCode).toBe('DNS_CONFIG_ERROR')
  })

  it("uses the edge host's IPv6 addresses if only IPv4 ones are set", async () => {
    setOwnershipRecord('willowbrook.com')
    setOnAllServers('edge.keeper.example', { A: ['192.0.2.10'], AAAA: ['2001:db8::40'] })
    setOnAllServers('willowbrook.com', { A: ['192.0.2.10'], AAAA: ['2001:db8::40'] })
    expect(await getStatus('willowbrook.com')).toMatchObject({ verified: true, configuredBy: 'A', conflicts: [] })
    secondServer.faults.set('AAAA edge.keeper.example', 'servfail')
    expect((await getStatus('willowbrook.com')).errorCode).toBe('DNS_CONFIG_ERROR')
    secondServer.faults.clear()
    setOnAllServers('willowbrook.com', { A: ['192.0.2.10'], AAAA: ['2001:db8::41'] })
    expect((await getStatus('willowbrook.com')).configured).toBe(false)
  })

  it("accepts the edge's IPv6 addresses", async () => {
    setOwnershipRecord()
    setOnAllServers(host, { A: ['192.0.2.10'], AAAA: ['2001:db8::10'] })
    expect((await getStatus()).configured).toBe(false)
    expect((await getStatus(host, { edgeIps: ['192.0.2.10', '2001:db8::10'] })).configured).toBe(true)
  })

  it('the nearest CAA record up to the registrable domain counts', async () => {
    setOwnershipRecord()
    setOnAllServers(host, { CNAME: 'edge.keeper.example' })
    setOnAllServers('com', { CAA: [{ tag: 'issue', value: 'another-ca.example' }] })
    expect((await getStatus()).configured).toBe(true)
    setOnAllServers('willowbrook.com', { CAA: [{ tag: 'issue', value: 'another-ca.example' }] })
    const status = await getStatus()
    expect(status).toMatchObject({ configured: false, verified: false })
    expect(status.records.at(-1)).toMatchObject({ type: 'CAA', value: '0 issue "letsencrypt.org"', state: 'different' })
    setOnAllServers(host, { A: ['192.0.2.10'], CAA: [{ tag: 'issue', value: 'letsencrypt.org; accounturi=x' }] })
    expect((await getStatus()).configured).toBe(true)
    // Forbids every issuer.
    setOnAllServers(host, { A: ['192.0.2.10'], CAA: [{ tag: 'issue', value: ';' }] })
    expect((await getStatus()).configured).toBe(false)
    // Only a report address; forbids nothing.
    setOnAllServers(host, { A: ['192.0.2.10'], CAA: [{ tag: 'iodef', value: 'mailto:ada@willowbrook.example' }] })
    expect((await getStatus()).configured).toBe(true)
  })

  it('queries nothing for a name that was never added', async () => {
    const queryDns = createDnsQuery([firstServer.address])
    const driver = createDnsDriver({ edgeHost: 'edge.keeper.example', edgeIps: [] }, queryDns)
    await driver.status({ hostname: host, token, attachedAt: null })
    expect(firstServer.questions).toEqual([])
  })
})

describe.each(['vercel', 'dns'] as const)('the driver %s', (driverName) => {
  let world: HostingWorld
  const startWorld = async () => {
    world = await hostingWorlds[driverName]()
    return world
  }
  afterEach(() => world.close())
  const toHostedDomain = (hostname: string): HostedDomain => ({ hostname, token, attachedAt: null })
  const attachName = async (hostname: string): Promise<HostedDomain> => {
    await world.driver.attach(toHostedDomain(hostname))
    return { hostname, token, attachedAt: 1 }
  }

  it('a name that was never added is unattached, without an error', async () => {
    await startWorld()
    const status = await world.driver.status(toHostedDomain('memories.willowbrook.com'))
    expect(status).toMatchObject({ attached: false, configured: false, verified: false, error: null, errorCode: null })
    expect(status.records).toEqual([])
  })

  it('adding and removing are idempotent', async () => {
    await startWorld()
    const name = await attachName('memories.willowbrook.com')
    await world.driver.attach(name)
    expect((await world.driver.status(name)).attached).toBe(true)
    await world.driver.detach(name)
    await world.driver.detach(name)
  })

  it("a record with another claim's token proves nothing", async () => {
    await startWorld()
    const name = { ...(await attachName('memories.willowbrook.com')), contested: true }
    world.applyRecords((await world.driver.status(name)).records)
    expect((await world.driver.verify(name)).verified).toBe(true)
    expect((await world.driver.verify({ ...name, token: 'ffffffffffffffffffff' })).verified).toBe(false)
    expect((await world.driver.verify({ ...name, token: '' })).verified).toBe(false)
  })
})

it('without settings there is no driver, and defaults apply', () => {
  expect(readSettings({}).customDomains).toEqual({
    driver: null,
    vercel: { baseUrl: 'https://api.vercel.com', token: null, projectId: null, teamId: null },
    dnsServers: ['1.1.1.1:53', '8.8.8.8:53'],
    edgeHost: null,
    edgeIps: [],
  })
})

it('vercel can start without token and project, and its status says so', () => {
  expect(readSettings({ CUSTOM_DOMAIN_DRIVER: 'vercel' }).customDomains.driver).toBe('vercel')
})

it('targets, name servers and credentials are read from settings', () => {
  const settings = readSettings({
    CUSTOM_DOMAIN_DRIVER: 'dns',
    KEEPER_EDGE_HOST: 'Edge.Example.com',
    KEEPER_EDGE_IPS: '192.0.2.1, 2001:db8::1',
    KEEPER_DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353, 2620:fe::fe, [::1]:5300',
    VERCEL_API_BASE_URL: 'http://127.0.0.1:9999/',
    VERCEL_TOKEN: 'abc',
  }).customDomains
  expect(settings).toMatchObject({
    driver: 'dns',
    edgeHost: 'edge.example.com',
    edgeIps: ['192.0.2.1', '2001:db8::1'],
    dnsServers: ['9.9.9.9:53', '127.0.0.1:5353', '[2620:fe::fe]:53', '[::1]:5300'],
    vercel: { baseUrl: 'http://127.0.0.1:9999', token: 'abc' },
  })
})

it.each([
  ['CUSTOM_DOMAIN_DRIVER', 'netlify', {}],
  ['KEEPER_EDGE_HOST or KEEPER_EDGE_IPS', 'dns', { CUSTOM_DOMAIN_DRIVER: 'dns' }],
  ['KEEPER_EDGE_HOST or KEEPER_EDGE_IPS', 'dns', { CUSTOM_DOMAIN_DRIVER: 'dns', KEEPER_EDGE_IPS: '2001:db8::1' }],
  ['KEEPER_EDGE_HOST', 'https://edge.example.com', {}],
  ['KEEPER_EDGE_IPS', '192.0.2.256', {}],
  ['KEEPER_DNS_SERVERS', 'dns.example.com', {}],
  ['KEEPER_DNS_SERVERS', '1.1.1.1:99999', {}],
  ['VERCEL_API_BASE_URL', 'api.vercel.com', {}],
  ['VERCEL_TOKEN', 'two words', {}],
])('an invalid %s is refused with one line: %j', (name, value, environment) => {
  const variables = Object.keys(environment).length > 0 ? environment : { [name]: value }
  let refusal: unknown
  try {
    readSettings(variables)
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeInstanceOf(BadSetting)
  expect((refusal as Error).message).toContain(name)
  expect((refusal as Error).message).not.toContain('\n')
  if (name === 'VERCEL_TOKEN') expect((refusal as Error).message).not.toContain(value)
})

describe('requests of the vercel driver', () => {
  let world: Awaited<ReturnType<typeof startVercelWorld>>
  beforeEach(async () => {
    world = await startVercelWorld()
  })
  afterEach(() => world.close())
  const name: HostedDomain = { hostname: host, token: '0123456789abcdef0123', attachedAt: 1 }
  const listCalls = () => world.api.requests.map(({ method, path }) => `${method} ${path}`)
  const project = '/projects/prj_keeperFake/domains'
  const getFailure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it did not fail'),
      (error: unknown) => {
        expect(error).toBeInstanceOf(HostingFailure)
        return error as HostingFailure
      },
    )
  const createDriver = (access: Partial<Parameters<typeof createVercelDriver>[0]>) =>
    createVercelDriver(
      { baseUrl: world.api.url, token: world.api.token, projectId: world.api.projectId, teamId: null, ...access },
      { fetch: (address, init) => fetch(address, init), sleep: async () => {}, queryDns: async () => [] },
    )

  it('adds with one request and reads with two', async () => {
    await world.driver.attach(name)
    expect(world.api.requests).toMatchObject([
      { method: 'POST', path: `/v10${project}`, body: { name: host }, authorization: `Bearer ${world.api.token}` },
    ])
    world.api.requests.length = 0
    await world.driver.status(name)
    expect(listCalls()).toEqual([
      `GET /v9${project}/${host}`,
      `GET /v6/domains/${host}/config?projectIdOrName=prj_keeperFake`,
    ])
  })

  it('reads a verified name without verifying it again', async () => {
    await world.driver.attach(name)
    world.api.pointHere(host)
    world.api.requests.length = 0
    expect(await world.driver.verify(name)).toMatchObject({ verified: true, configured: true, configuredBy: 'CNAME' })
    expect(listCalls().filter((call) => call.startsWith('POST'))).toEqual([])
  })

  it('retries a missing TXT record three times, 2.5 s apart, and reports it', async () => {
    world.requireOwnershipProof(host)
    await world.driver.attach(name)
    world.api.pointHere(host)
    world.api.requests.length = 0
    const status = await world.driver.verify(name)
    expect(listCalls().filter((call) => call === `POST /v9${project}/${host}/verify`)).toHaveLength(3)
    expect(world.waitsMs).toEqual([2500, 2500])
    const { txtToken } = world.api.host(host)
    expect(status).toMatchObject({
      attached: true,
      configured: true,
      verified: false,
      errorCode: 'missing_txt_record',
      error: `Domain _vercel.willowbrook.com is missing required TXT Record "vc-domain-verify=${host},${txtToken}"`,
    })
    expect(status.records).toContainEqual(
      expect.objectContaining({
        type: 'TXT',
        domain: '_vercel.willowbrook.com',
        value: `vc-domain-verify=${host},${txtToken}`,
      }),
    )
  })

  it("asks once if a retry can't help", async () => {
    world.requireOwnershipProof(host)
    await world.driver.attach(name)
    for (const status of [429, 500, 403]) {
      world.api.requests.length = 0
      world.api.fail({ contains: '/verify', status, times: 1 })
      expect((await world.driver.verify(name)).errorCode).toBe(
        { 429: 'rate_limited', 500: 'internal_server_error', 403: '403' }[status],
      )
      expect(listCalls().filter((call) => call.endsWith('/verify'))).toHaveLength(1)
    }
    expect(world.waitsMs).toEqual([])
  })

  it.each([400, 409] as const)(
    "adding an existing name (%i) succeeds; another project's name fails",
    async (status) => {
      world.api.duplicateAddStatus = status
      await world.driver.attach(name)
      await world.driver.attach(name)
      world.claimForOtherProject('taken.willowbrook.com')
      expect(await getFailure(world.driver.attach({ ...name, hostname: 'taken.willowbrook.com' }))).toMatchObject({
        errorCode: 'domain_already_in_use',
      })
      expect(world.api.host('taken.willowbrook.com').added).toBe(false)
    },
  )

  it('reports a name that Vercel rejects as a bad request', async () => {
    expect(await getFailure(world.driver.attach({ ...name, hostname: 'no_name' }))).toMatchObject({
      errorCode: 'bad_request',
      message: 'The domain "no_name" is not valid.',
    })
  })

  it('expects the recommended records: A with a www hint, or CNAME', async () => {
    await world.driver.attach({ ...name, hostname: 'willowbrook.co.uk' })
    const apexRecords = (await world.driver.status({ ...name, hostname: 'willowbrook.co.uk' })).records
    expect(apexRecords).toMatchObject([
      { type: 'A', domain: 'willowbrook.co.uk', value: recommendedIp, state: 'missing' },
      { type: 'CNAME', domain: 'www.willowbrook.co.uk', state: 'unknown' },
    ])
    await world.driver.attach(name)
    expect((await world.driver.status(name)).records).toMatchObject([
      { type: 'CNAME', domain: host, value: recommendedCname.replace(/\.$/, ''), state: 'missing' },
    ])
    world.api.fail({ contains: '/config', status: 500 })
    expect((await world.driver.status(name)).records).toMatchObject([
      { type: 'CNAME', domain: host, value: 'cname.vercel-dns-0.com', state: 'unknown' },
    ])
  })

  it('a driver without a token or project reports "403" without requests', async () => {
    for (const access of [{ token: null }, { projectId: null }]) {
      const driver = createDriver(access)
      expect(await driver.status(name)).toMatchObject({
        attached: false,
        errorCode: '403',
        error: 'Access denied to Vercel. Please check your Vercel configuration.',
      })
      expect(await getFailure(driver.attach(name))).toMatchObject({ errorCode: '403' })
    }
    expect(world.api.requests).toEqual([])
  })

  it('sends the team with every request, by id or slug', async () => {
    await createDriver({ teamId: 'team_Willow' }).attach(name)
    await createDriver({ teamId: 'willowbrook' }).status(name)
    expect(listCalls()).toEqual([
      `POST /v10${project}?teamId=team_Willow`,
      `GET /v9${project}/${host}?slug=willowbrook`,
      `GET /v6/domains/${host}/config?projectIdOrName=prj_keeperFake&slug=willowbrook`,
    ])
  })

  it('follows no redirect, rejects HTML, and never repeats the token', async () => {
    await world.driver.attach(name)
    world.api.fail({ contains: 'GET /v9', status: 302, times: 1 })
    expect(await world.driver.status(name)).toMatchObject({ errorCode: 'DNS_CONFIG_ERROR', attached: false })
    expect(listCalls()).not.toContain('GET /elsewhere')
    const message = `no entry for ${world.api.token}, ${'x'.repeat(1000)}`
    world.api.fail({ contains: 'GET /v9', status: 418, times: 1, error: { code: 'teapot', message } })
    const status = await world.driver.status(name)
    expect(status).toMatchObject({ errorCode: 'teapot' })
    expect(status.error).toMatch(/^no entry for …, x+$/)
    expect(status.error?.length).toBeLessThanOrEqual(300)
    world.api.fail({ contains: 'POST', status: 418, times: 1, error: { code: 'teapot', message } })
    expect(`${await getFailure(world.driver.attach(name))}`).not.toContain(world.api.token)
  })
})
