import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customDomains } from '#contract/domains/custom-domains.ts'
import { domains } from '#contract/domains/domains.ts'
import { engines } from '#tests/engines.ts'
import { hostingCases } from '#tests/hosting-cases.ts'
import { type HostingWorld, hostingWorlds } from '#tests/hosting-world.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

// Names and records are checked outside the database, so one engine suffices.
describe.each(engines.slice(0, 1))('custom domains, on %s', (engine) => {
  describe.each(['vercel', 'dns'] as const)('with the driver %s', (driverName) => {
    let world: HostingWorld
    let app: TestApp
    let ada: Actor
    let ben: Actor
    let hostCount = 0
    beforeAll(async () => {
      world = await hostingWorlds[driverName]()
      app = await createTestApp(engine, { hosting: world.driver })
      ada = await app.as('ada')
      ben = await app.as('ben')
    })
    afterAll(async () => {
      await app.close()
      await world.close()
    })
    const createHost = () => `place${++hostCount}.willowbrook.com`
    const claim = async (host: string, person = ada) => {
      const { id } = (await person.call(domains.create, { body: { name: 'Willowbrook' } })).data
      const saved = await person.call(domains.setCustomDomain, { params: { id }, body: { customDomain: host } })
      expect(saved.data.customDomain).toBe(host)
      return { id }
    }
    const attach = (params: { id: string }, person = ada, body = {}) =>
      person.call(customDomains.attach, { params, body })
    const fetchStatus = async (params: { id: string }, person = ada) =>
      (await person.call(customDomains.status, { params })).data
    const verify = (params: { id: string }, person = ada) => person.call(customDomains.verify, { params })
    const readRow = ({ id }: { id: string }) =>
      app.services.db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const isServed = (host: string) => app.services.customHosts.find(host) !== undefined
    const listActions = ({ id }: { id: string }) =>
      app.services.db
        .selectFrom('audit_events')
        .select(['action', 'actor_id', 'subject'])
        .where('domain_id', '=', id)
        .where('subject', 'is not', null)
        .orderBy('at')
        .execute()

    it.each(hostingCases.map((hostingCase) => [hostingCase.name, hostingCase] as const))(
      '%s',
      async (_, hostingCase) => {
        const host = hostingCase.isApex ? `willowbrook${++hostCount}.com` : createHost()
        try {
          hostingCase.beforeAdd?.(world, host)
          const domain = await claim(host)
          const refused = hostingCase.refused?.[driverName] ?? null
          const attached = await attach(domain)
          expect(attached.body.code ?? null).toBe(refused)
          if (refused === null) expect(attached.status).toBe(200)
          else expect(attached.status).toBe(refused === 'domain_already_in_use' ? 409 : 502)
          hostingCase.afterAdd?.(world, host, (await fetchStatus(domain)).records)
          const { states, ...visible } = hostingCase.shows[driverName]
          const current = await fetchStatus(domain)
          expect(current).toMatchObject({ ...visible, details: { customDomain: host, provider: driverName } })
          expect(current.error === null).toBe(visible.errorCode === null)
          for (const [type, state] of Object.entries(states ?? {}))
            expect(current.records).toContainEqual(expect.objectContaining({ type, state }))
          const { conflicts } = current.details
          expect(conflicts).toHaveLength(hostingCase.conflicts?.length ?? 0)
          hostingCase.conflicts?.forEach((message, index) => void expect(conflicts[index]).toMatch(message))

          const previous = await readRow(domain)
          const answer = await verify(domain)
          if (hostingCase.verifies[driverName]) {
            expect(answer).toMatchObject({ status: 200, data: { details: { verified: true } } })
            expect(isServed(host)).toBe(true)
            expect((await readRow(domain)).custom_domain_verified).toBe(true)
            expect((await listActions(domain)).map(({ action }) => action)).toEqual([
              'custom-domain-set',
              'custom-domain-added',
              'custom-domain-verified',
            ])
            expect(
              (await listActions(domain)).every((action) => action.actor_id === ada.id && action.subject === host),
            ).toBe(true)
          } else {
            expect(answer.body.success).toBe(false)
            expect(answer.status).toBe(refused === null ? 422 : 409)
            expect(answer.body.error).toMatch(/\S/)
            expect(isServed(host)).toBe(false)
            expect(await readRow(domain)).toEqual(previous)
          }
        } finally {
          world.recover()
        }
      },
    )

    const claimAndVerify = async (host: string, person = ada) => {
      const domain = await claim(host, person)
      await attach(domain, person)
      world.applyRecords((await fetchStatus(domain, person)).records)
      expect((await verify(domain, person)).status).toBe(200)
      return domain
    }

    it('the claim with the TXT record wins, and the other claimant is notified', async () => {
      const host = createHost()
      const adasDomain = await claim(host)
      const bensDomain = await claim(host, ben)
      await attach(adasDomain)
      // The provider has it because of Ada.
      expect(await fetchStatus(bensDomain, ben)).toMatchObject({ attached: false, error: null, records: [] })
      await attach(bensDomain, ben)
      world.applyRecords((await fetchStatus(adasDomain)).records)
      // The host points here and Ben asks first; neither proves that it is his.
      const early = await verify(bensDomain, ben)
      expect(early.status).toBe(422)
      expect(early.body.error).toContain(`TXT record for _keeper.${host}`)
      expect(isServed(host)).toBe(false)

      expect((await verify(adasDomain)).status).toBe(200)
      expect(app.services.customHosts.find(host)).toEqual({ domainId: adasDomain.id })
      const late = await verify(bensDomain, ben)
      expect(late.status).toBe(409)
      expect(late.body).toMatchObject({ code: 'custom-domain-taken', error: expect.stringContaining(host) })
      expect((await readRow(bensDomain)).custom_domain_verified).toBe(false)

      // Giving up a claim doesn't affect the other one.
      await ben.call(domains.setCustomDomain, { params: bensDomain, body: { customDomain: null } })
      expect(await fetchStatus(adasDomain)).toMatchObject({ attached: true, configured: true, errorCode: null })
    })

    it('one of two concurrent verifications with the record wins', async () => {
      const host = createHost()
      const adasDomain = await claim(host)
      const bensDomain = await claim(host, ben)
      for (const [domain, person] of [
        [adasDomain, ada],
        [bensDomain, ben],
      ] as const)
        await attach(domain, person)
      world.applyRecords((await fetchStatus(adasDomain)).records)
      const recordTexts = [adasDomain, bensDomain].map(async (domain) => {
        const { custom_domain_token } = await readRow(domain)
        return `keeper-domain-verify=${host},${custom_domain_token}`
      })
      world.dns.records.set(`_keeper.${host}`, { TXT: await Promise.all(recordTexts) })
      const statuses = (await Promise.all([verify(adasDomain), verify(bensDomain, ben)])).map((answer) => answer.status)
      expect(statuses.toSorted()).toEqual([200, 409])
    })

    it("records left behind by a deleted domain don't verify another claim", async () => {
      const host = createHost()
      const adasDomain = await claimAndVerify(host)
      expect(isServed(host)).toBe(true)
      await ada.call(domains.remove, { params: adasDomain })
      expect(isServed(host)).toBe(false)

      const bensDomain = await claim(host, ben)
      await attach(bensDomain, ben)
      expect(await fetchStatus(bensDomain, ben)).toMatchObject({ attached: true, configured: true })
      const answer = await verify(bensDomain, ben)
      expect(answer.status).toBe(422)
      expect(answer.body.error).toContain(`TXT record for _keeper.${host}`)
      expect(isServed(host)).toBe(false)
      world.applyRecords((await fetchStatus(bensDomain, ben)).records)
      expect((await verify(bensDomain, ben)).status).toBe(200)
    })

    it('another name gets a new token, and the old one is no longer served', async () => {
      const host = createHost()
      const domain = await claimAndVerify(host)
      const { custom_domain_token } = await readRow(domain)
      const nextHost = createHost()
      const answer = await attach(domain, ada, { customDomain: `https://${nextHost.toUpperCase()}/` })
      expect(answer.data).toMatchObject({ attached: true, details: { customDomain: nextHost, verified: false } })
      expect(isServed(host)).toBe(false)
      expect((await readRow(domain)).custom_domain_token).not.toBe(custom_domain_token)
      expect(await verify(domain)).toMatchObject({ status: 422 })
    })

    it('an invalid name is refused, naming the field, without a provider request', async () => {
      const domain = await claim(createHost())
      const previous = await readRow(domain)
      for (const customDomain of ['no name', '127.0.0.1', 'co.uk', 'ada@willowbrook.com', 'localhost', 'a_b.com']) {
        const answer = await attach(domain, ada, { customDomain })
        expect(answer.status).toBe(400)
        expect(answer.body.fields).toEqual({ customDomain: answer.body.error })
      }
      expect(await readRow(domain)).toEqual(previous)
    })

    it("verifying a domain that wasn't added says what to do first", async () => {
      const domain = await claim(createHost())
      expect(await verify(domain)).toMatchObject({ status: 409, body: { error: expect.stringContaining('Add') } })
      await ada.call(domains.setCustomDomain, { params: domain, body: { customDomain: null } })
      expect(await verify(domain)).toMatchObject({ status: 400, body: { fields: { customDomain: expect.anything() } } })
      expect(await attach(domain)).toMatchObject({ status: 400 })
      expect(await fetchStatus(domain)).toMatchObject({ attached: false, error: null, details: { customDomain: null } })
    })

    it('a name changed during verification is not verified', async () => {
      const host = createHost()
      const domain = await claim(host)
      await attach(domain)
      world.applyRecords((await fetchStatus(domain)).records)
      const { hosting } = app.services
      const nextHost = createHost()
      app.services.hosting = {
        ...world.driver,
        async verify(name) {
          const result = await world.driver.verify(name)
          await ada.call(domains.setCustomDomain, { params: domain, body: { customDomain: nextHost } })
          return result
        },
      }
      expect((await verify(domain)).status).toBe(409)
      app.services.hosting = hosting
      expect(await readRow(domain)).toMatchObject({ custom_domain: nextHost, custom_domain_verified: false })
      expect(isServed(host) || isServed(nextHost)).toBe(false)
    })

    it("an outdated page can't replace the current name by adding its old one", async () => {
      const [oldName, currentName] = [createHost(), createHost()]
      const domain = await claim(oldName)
      const { rev } = await readRow(domain)
      await ada.call(domains.setCustomDomain, { params: domain, body: { customDomain: currentName } })
      await attach(domain)
      world.applyRecords((await fetchStatus(domain)).records)
      await verify(domain)
      const setName = (customDomain: string, ifMatch: number) =>
        ada.call(customDomains.attach, { params: domain, body: { customDomain }, ifMatch })
      const late = await setName(oldName, rev)
      expect(late).toMatchObject({ status: 409, body: { code: 'stale' } })
      expect(late.body.data).toMatchObject({ current: { customDomain: currentName, customDomainVerified: true } })
      expect({ isServed: isServed(currentName), custom_domain: (await readRow(domain)).custom_domain }).toEqual({
        isServed: true,
        custom_domain: currentName,
      })
      // Setting the current name changes nothing, whatever the revision.
      expect((await setName(currentName.toUpperCase(), rev)).status).toBe(200)
      const { rev: currentRev } = await readRow(domain)
      expect((await setName(oldName, currentRev)).status).toBe(200)
      expect(isServed(currentName)).toBe(false)
    })

    it("a name removed while being added doesn't stay at the provider", async () => {
      const host = createHost()
      const domain = await claim(host)
      const { hosting } = app.services
      const detached: string[] = []
      app.services.hosting = {
        ...world.driver,
        async attach(name) {
          await world.driver.attach(name)
          await ada.call(domains.setCustomDomain, { params: domain, body: { customDomain: null } })
        },
        detach: async ({ hostname }) => void detached.push(hostname),
      }
      expect((await attach(domain)).status).toBe(409)
      app.services.hosting = hosting
      expect(detached).toEqual([host])
      expect(await readRow(domain)).toMatchObject({ custom_domain: null, custom_domain_attached_at: null })
    })

    it('status checks are throttled before any request', async () => {
      const domain = await claim(createHost())
      app.passTime(60_000 - (app.services.now().getTime() % 60_000))
      const statusChecks = await Promise.all(
        Array.from({ length: 70 }, () => ada.call(customDomains.status, { params: domain })),
      )
      const statuses = statusChecks.map((check) => check.status)
      expect(statuses).toContain(200)
      expect(statuses).toContain(429)
      const requests: string[] = []
      const { hosting } = app.services
      const requestStatus = async (name: { hostname: string }) => {
        requests.push(name.hostname)
        return world.driver.status({ ...name, token: '', attachedAt: null })
      }
      app.services.hosting = {
        ...world.driver,
        status: requestStatus,
        verify: requestStatus,
        attach: async (name) => void (await requestStatus(name)),
      }
      const refused = await ada.call(customDomains.status, { params: domain })
      const requestsByChecks = [...requests]
      // Polling doesn't use up the limit of actions, which are throttled, too.
      const first = await attach(domain)
      const answers = await Promise.all(Array.from({ length: 70 }, () => verify(domain)))
      requests.length = 0
      answers.push(await verify(domain), await attach(domain))
      app.services.hosting = hosting
      expect({ status: refused.status, retryAfter: refused.headers.get('retry-after') }).toEqual({
        status: 429,
        retryAfter: expect.stringMatching(/^\d+$/),
      })
      expect(requestsByChecks).toEqual([])
      expect(first.status).toBe(200)
      expect(answers.filter((answer) => answer.status !== 429)).toHaveLength(29)
      expect(answers.slice(-2).map((answer) => answer.status)).toEqual([429, 429])
      expect(requests).toEqual([])
    })

    it('a change notifies everyone in the domain', async () => {
      const domain = await claim(createHost())
      await ada.call(domains.addMember, { params: domain, body: { userId: ben.id, role: 'friend' } })
      const received: string[] = []
      const unsubscribe = app.services.live.subscribe(ben.id, ({ type }) => received.push(type))
      await attach(domain)
      expect(received).toEqual(['domains-changed'])
      world.applyRecords((await fetchStatus(domain)).records)
      await verify(domain)
      expect(received).toEqual(['domains-changed', 'domains-changed'])
      unsubscribe()
    })

    if (driverName === 'vercel')
      it("the provider's token is in no response and no log line", async () => {
        const token = world.environment.VERCEL_TOKEN ?? expect.fail('no token')
        const domain = await claim(createHost())
        world.refuseEverything()
        const answers = [
          await attach(domain),
          await verify(domain),
          await ada.call(customDomains.status, { params: domain }),
        ]
        world.recover()
        expect(`${answers.map(({ text }) => text)}${app.logLines}`).not.toContain(token)
      })
  })

  it('adding and verifying are refused without a driver, and the status is 403', async () => {
    const app = await createTestApp(engine)
    const ada = await app.as('ada')
    const { id } = (await ada.call(domains.create, { body: { name: 'Willowbrook' } })).data
    const host = 'memories.willowbrook.com'
    await ada.call(domains.setCustomDomain, { params: { id }, body: { customDomain: host } })
    const answer = await ada.call(customDomains.status, { params: { id } })
    expect(answer).toMatchObject({
      status: 200,
      data: {
        attached: false,
        errorCode: '403',
        error: 'Access denied to Vercel. Please check your Vercel configuration.',
        details: { customDomain: host, provider: null, checkedAt: null },
      },
    })
    expect(answer.data.nameServers).toEqual(['ns1.vercel-dns.com', 'ns2.vercel-dns.com'])
    for (const call of [customDomains.attach, customDomains.verify]) {
      const body = call === customDomains.attach ? { body: { customDomain: 'other.willowbrook.com' } } : {}
      expect(await ada.call(call, { params: { id }, ...body })).toMatchObject({
        status: 400,
        body: { success: false, code: 'driver-missing', error: 'Custom domains are not set up on this server.' },
      })
    }
    const domain = (await ada.call(domains.mine)).data.find((hostingCase) => hostingCase.id === id)
    expect(domain?.customDomain).toBe(host)
    await app.close()
  })

  it.each(['vercel', 'dns'] as const)('the driver %s is created from the settings', async (driverName) => {
    const world = await hostingWorlds[driverName]()
    const app = await createTestApp(engine, { environment: world.environment })
    const ada = await app.as('ada')
    const { id } = (await ada.call(domains.create, { body: { name: 'Willowbrook' } })).data
    const body = { customDomain: 'memories.willowbrook.com' }
    expect((await ada.call(customDomains.attach, { params: { id }, body })).status).toBe(200)
    world.applyRecords((await ada.call(customDomains.status, { params: { id } })).data.records)
    expect((await ada.call(customDomains.verify, { params: { id } })).data.details.provider).toBe(driverName)
    expect(app.services.customHosts.find('memories.willowbrook.com')).toEqual({ domainId: id })
    await app.close()
    await world.close()
  })

  it('vercel without token and project starts and reports 403', async () => {
    const app = await createTestApp(engine, { environment: { CUSTOM_DOMAIN_DRIVER: 'vercel' } })
    const ada = await app.as('ada')
    const { id } = (await ada.call(domains.create, { body: { name: 'Willowbrook' } })).data
    const answer = await ada.call(customDomains.attach, { params: { id }, body: { customDomain: 'm.willowbrook.com' } })
    expect(answer).toMatchObject({ status: 502, body: { code: '403' } })
    expect((await ada.call(customDomains.status, { params: { id } })).data).toMatchObject({
      attached: false,
      errorCode: '403',
      details: { customDomain: 'm.willowbrook.com', provider: 'vercel' },
    })
    await app.close()
  })
})
