import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recommendedCname, recommendedIp } from '#tests/fakes/hosting-api.ts'
import { startVercelWorld } from '#tests/hosting-world.ts'
import { type HostedName, HostingFailure } from './hosting-driver.ts'
import { createVercelDriver } from './vercel-driver.ts'

const host = 'memories.willowbrook.com'

describe('requests of the vercel driver', () => {
  let world: Awaited<ReturnType<typeof startVercelWorld>>
  beforeEach(async () => {
    world = await startVercelWorld()
  })
  afterEach(() => world.close())
  const name: HostedName = { hostname: host, token: '0123456789abcdef0123', attachedAt: 1 }
  const calls = () => world.api.requests.map(({ method, path }) => `${method} ${path}`)
  const project = '/projects/prj_keeperFake/domains'
  const failure = (work: Promise<unknown>) =>
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
    expect(calls()).toEqual([
      `GET /v9${project}/${host}`,
      `GET /v6/domains/${host}/config?projectIdOrName=prj_keeperFake`,
    ])
  })

  it('reads a verified name without verifying it again', async () => {
    await world.driver.attach(name)
    world.api.pointHere(host)
    world.api.requests.length = 0
    expect(await world.driver.verify(name)).toMatchObject({ verified: true, configured: true, configuredBy: 'CNAME' })
    expect(calls().filter((call) => call.startsWith('POST'))).toEqual([])
  })

  it('retries a missing TXT record three times, 2.5 s apart, and reports it', async () => {
    world.requireOwnershipProof(host)
    await world.driver.attach(name)
    world.api.pointHere(host)
    world.api.requests.length = 0
    const status = await world.driver.verify(name)
    expect(calls().filter((call) => call === `POST /v9${project}/${host}/verify`)).toHaveLength(3)
    expect(world.waits).toEqual([2500, 2500])
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
      expect(calls().filter((call) => call.endsWith('/verify'))).toHaveLength(1)
    }
    expect(world.waits).toEqual([])
  })

  it.each([400, 409] as const)(
    "adding an existing name (%i) succeeds; another project's name fails",
    async (status) => {
      world.api.duplicateAddStatus = status
      await world.driver.attach(name)
      await world.driver.attach(name)
      world.claimElsewhere('taken.willowbrook.com')
      expect(await failure(world.driver.attach({ ...name, hostname: 'taken.willowbrook.com' }))).toMatchObject({
        errorCode: 'domain_already_in_use',
      })
      expect(world.api.host('taken.willowbrook.com').added).toBe(false)
    },
  )

  it('reports a name that Vercel rejects as a bad request', async () => {
    expect(await failure(world.driver.attach({ ...name, hostname: 'no_name' }))).toMatchObject({
      errorCode: 'bad_request',
      message: 'The domain "no_name" is not valid.',
    })
  })

  it('expects the recommended records: A with a www hint, or CNAME', async () => {
    await world.driver.attach({ ...name, hostname: 'willowbrook.co.uk' })
    const top = (await world.driver.status({ ...name, hostname: 'willowbrook.co.uk' })).records
    expect(top).toMatchObject([
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

  it('without a token or project it is "403" without requests', async () => {
    for (const access of [{ token: null }, { projectId: null }]) {
      const driver = createDriver(access)
      expect(await driver.status(name)).toMatchObject({
        attached: false,
        errorCode: '403',
        error: 'Access denied to Vercel. Please check your Vercel configuration.',
      })
      expect(await failure(driver.attach(name))).toMatchObject({ errorCode: '403' })
    }
    expect(world.api.requests).toEqual([])
  })

  it('sends the team with every request, by id or slug', async () => {
    await createDriver({ teamId: 'team_Willow' }).attach(name)
    await createDriver({ teamId: 'willowbrook' }).status(name)
    expect(calls()).toEqual([
      `POST /v10${project}?teamId=team_Willow`,
      `GET /v9${project}/${host}?slug=willowbrook`,
      `GET /v6/domains/${host}/config?projectIdOrName=prj_keeperFake&slug=willowbrook`,
    ])
  })

  it('follows no redirect, rejects HTML, and never repeats the token', async () => {
    await world.driver.attach(name)
    world.api.fail({ contains: 'GET /v9', status: 302, times: 1 })
    expect(await world.driver.status(name)).toMatchObject({ errorCode: 'DNS_CONFIG_ERROR', attached: false })
    expect(calls()).not.toContain('GET /elsewhere')
    const message = `no entry for ${world.api.token}, ${'x'.repeat(1000)}`
    world.api.fail({ contains: 'GET /v9', status: 418, times: 1, error: { code: 'teapot', message } })
    const status = await world.driver.status(name)
    expect(status).toMatchObject({ errorCode: 'teapot' })
    expect(status.error).toMatch(/^no entry for …, x+$/)
    expect(status.error?.length).toBeLessThanOrEqual(300)
    world.api.fail({ contains: 'POST', status: 418, times: 1, error: { code: 'teapot', message } })
    expect(`${await failure(world.driver.attach(name))}`).not.toContain(world.api.token)
  })
})
