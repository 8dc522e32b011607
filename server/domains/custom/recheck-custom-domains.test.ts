import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customDomains } from '#contract/domains/custom-domains.ts'
import { domains } from '#contract/domains/domains.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import { hourMs } from '#server/values/time-units.ts'
import { engines } from '#tests/engines.ts'
import { type HostingWorld, hostingWorlds } from '#tests/hosting-world.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { recheckCustomDomains, startRechecking } from './recheck-custom-domains.ts'

describe.each(engines)('the daily check of custom domains, on %s', (engine) => {
  describe.each(['vercel', 'dns'] as const)('with the driver %s', (driverName) => {
    let world: HostingWorld
    let app: TestApp
    let ada: Actor
    let id: string
    let host: string
    let number = 0
    beforeAll(async () => {
      world = await hostingWorlds[driverName]()
      app = await createTestApp(engine, { hosting: world.driver })
      ada = await app.as('ada')
    })
    afterAll(async () => {
      await app.close()
      await world.close()
    })
    beforeEach(async () => {
      world.recover()
      await app.services.db.deleteFrom('domains').where('custom_domain', 'is not', null).execute()
      host = `memories${++number}.willowbrook.com`
      id = await createVerifiedDomain(host)
      app.mails.length = 0
    })
    const createVerifiedDomain = async (customDomain: string) => {
      const params = { id: (await ada.call(domains.create, { body: { name: 'Willowbrook' } })).data.id }
      const { records } = (await ada.call(customDomains.attach, { params, body: { customDomain } })).data
      world.applyRecords(records)
      expect((await ada.call(customDomains.verify, { params })).status).toBe(200)
      return params.id
    }
    const readRow = () =>
      app.services.db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const isServed = () => app.services.customHosts.find(host) !== undefined
    const recheck = (services = app.services) => recheckCustomDomains(services)
    const listLossEvents = () =>
      app.services.db
        .selectFrom('audit_events')
        .selectAll()
        .where('action', '=', 'custom-domain-lost')
        .where('domain_id', '=', id)
        .execute()
    const pointToOtherHost = () => world.setAddresses(host, { CNAME: 'edge.somebody.example' })

    it('is due after a day and leaves working names unchanged', async () => {
      const previous = await readRow()
      app.passTime(23 * hourMs)
      expect(await recheck()).toBe(0)
      app.passTime(hourMs)
      expect(await recheck()).toBe(1)
      expect(await recheck()).toBe(0)
      const { custom_domain_checked_at: checkedAt, ...current } = await readRow()
      expect(checkedAt).toBeGreaterThan(previous.custom_domain_checked_at ?? 0)
      expect({ ...previous, custom_domain_checked_at: 0 }).toEqual({ ...current, custom_domain_checked_at: 0 })
    })

    it('a broken name is served for 72 hours, then dropped, and its owner notified', async () => {
      pointToOtherHost()
      const received: LiveEvent[] = []
      const unsubscribe = app.services.live.subscribe(ada.id, (event) => received.push(event))
      for (let failures = 1; failures <= 3; failures++) {
        app.passTime(24 * hourMs)
        expect(await recheck()).toBe(1)
        expect(await readRow()).toMatchObject({ custom_domain_verified: true, custom_domain_failures: failures })
        expect(isServed()).toBe(true)
      }
      const { details } = (await ada.call(customDomains.status, { params: { id } })).data
      expect(Date.parse(details.brokenSince ?? '')).toBeLessThanOrEqual(app.services.now().getTime() - 48 * hourMs)
      expect(app.mails).toEqual([])
      expect(received).toHaveLength(1)

      app.passTime(24 * hourMs)
      expect(await recheck()).toBe(1)
      expect(isServed()).toBe(false)
      expect(await readRow()).toMatchObject({
        custom_domain: host,
        custom_domain_verified: false,
        custom_domain_broken_since: null,
      })
      expect(received).toEqual([1, 2].map(() => ({ type: 'domains-changed', domainId: id })))
      expect(app.mails).toMatchObject([{ to: 'ada@willowbrook.example', subject: `${host} is no longer served` }])
      expect(app.mails[0]?.text).toContain('/root')
      expect(await listLossEvents()).toMatchObject([
        { actor_id: null, person_id: ada.id, domain_id: id, subject: host },
      ])
      unsubscribe()
      app.passTime(48 * hourMs)
      expect(await recheck()).toBe(0)
      expect(app.mails).toHaveLength(1)
    })

    it('a name that recovers in time gets another 72 hours', async () => {
      for (const target of ['other', 'keeper', 'other', 'other', 'other']) {
        world.setAddresses(host, { CNAME: target === 'keeper' ? world.keeperAlias : 'edge.somebody.example' })
        app.passTime(24 * hourMs)
        await recheck()
        if (target === 'keeper')
          expect(await readRow()).toMatchObject({ custom_domain_broken_since: null, custom_domain_failures: 0 })
      }
      expect(isServed()).toBe(true)
      expect(await readRow()).toMatchObject({ custom_domain_failures: 3 })
    })

    it('after a week offline the server checks three times before dropping', async () => {
      pointToOtherHost()
      app.passTime(24 * hourMs)
      await recheck()
      app.passTime(7 * 24 * hourMs)
      await recheck()
      expect(isServed()).toBe(true)
      app.passTime(24 * hourMs)
      await recheck()
      expect(isServed()).toBe(false)
    })

    it('inconclusive checks change nothing, however many', async () => {
      pointToOtherHost()
      world.fail('servfail')
      for (let day = 0; day < 6; day++) {
        app.passTime(24 * hourMs)
        expect(await recheck()).toBe(1)
      }
      expect(await readRow()).toMatchObject({
        custom_domain_verified: true,
        custom_domain_broken_since: null,
        custom_domain_failures: 0,
      })
      expect(isServed()).toBe(true)
      world.recover()
      world.refuseEverything()
      app.passTime(24 * hourMs)
      await recheck()
      expect((await readRow()).custom_domain_broken_since).toBeNull()
    })

    it('a name removed at the provider is dropped and can be restored', async () => {
      world.removeWithoutKeeper(host)
      for (let day = 0; day < 4; day++) {
        app.passTime(24 * hourMs)
        await recheck()
      }
      expect(isServed()).toBe(false)
      const { records } = (await ada.call(customDomains.attach, { params: { id }, body: {} })).data
      world.applyRecords(records)
      expect((await ada.call(customDomains.verify, { params: { id } })).status).toBe(200)
      expect(isServed()).toBe(true)
    })

    it('concurrent processes check each name once', async () => {
      for (let number = 0; number < 8; number++) await createVerifiedDomain(`place${number}.willowbrook.com`)
      const requests: string[] = []
      const hosting: HostingDriver = {
        ...world.driver,
        async status(name) {
          requests.push(name.hostname)
          return world.driver.status(name)
        },
      }
      app.passTime(24 * hourMs)
      const counts = await Promise.all([recheck({ ...app.services, hosting }), recheck({ ...app.services, hosting })])
      expect(counts.reduce((total, count) => total + count, 0)).toBe(9)
      expect(requests).toHaveLength(9)
      expect(new Set(requests).size).toBe(9)
    })

    it('a name its owner changes during the check is left alone', async () => {
      pointToOtherHost()
      for (let day = 0; day < 3; day++) {
        app.passTime(24 * hourMs)
        await recheck()
      }
      app.passTime(24 * hourMs)
      const hosting: HostingDriver = {
        ...world.driver,
        async status(name) {
          const result = await world.driver.status(name)
          await ada.call(domains.setCustomDomain, { params: { id }, body: { customDomain: 'next.willowbrook.com' } })
          return result
        },
      }
      await recheck({ ...app.services, hosting })
      expect(await listLossEvents()).toEqual([])
      expect(app.mails).toEqual([])
      expect((await readRow()).custom_domain).toBe('next.willowbrook.com')
    })
  })

  it("an email failure doesn't keep the name", async () => {
    const world = await hostingWorlds.dns()
    const app = await createTestApp(engine, { hosting: world.driver })
    const ada = await app.as('ada')
    const { id } = (await ada.call(domains.create, { body: { name: 'Willowbrook' } })).data
    const brokenColumns = { custom_domain_broken_since: 0, custom_domain_failures: 5, custom_domain_verified: true }
    const host = 'memories.willowbrook.com'
    const attachedColumns = { custom_domain: host, custom_domain_token: 'x'.repeat(20), custom_domain_attached_at: 1 }
    await app.services.db
      .updateTable('domains')
      .set({ ...attachedColumns, ...brokenColumns })
      .where('id', '=', id)
      .execute()
    const mailer = { isSetUp: true, send: () => Promise.reject(new Error('mailbox full')) }
    expect(await recheckCustomDomains({ ...app.services, mailer })).toBe(1)
    expect(app.services.customHosts.find(host)).toBeUndefined()
    expect(app.logLines.join()).toContain('an email could not be sent')
    await app.close()
    await world.close()
  })

  it('starts with the server and logs failures', async () => {
    const app = await createTestApp(engine)
    const ada = await app.as('ada')
    const { id } = (await ada.call(domains.create, { body: { name: 'Willowbrook' } })).data
    const host = 'memories.willowbrook.com'
    const attachedColumns = { custom_domain: host, custom_domain_token: 'x'.repeat(20), custom_domain_attached_at: 1 }
    await app.services.db
      .updateTable('domains')
      .set({ ...attachedColumns, custom_domain_verified: true })
      .where('id', '=', id)
      .execute()
    const firstRequest = Promise.withResolvers<void>()
    const failHosting = async () => {
      firstRequest.resolve()
      throw new Error('a defect')
    }
    const hosting: HostingDriver = {
      name: 'dns',
      attach: failHosting,
      detach: failHosting,
      status: failHosting,
      verify: failHosting,
    }
    const stopRechecking = startRechecking({ ...app.services, hosting })
    await firstRequest.promise
    await expect.poll(() => app.logLines.join()).toContain('custom domains could not be checked')
    stopRechecking()
    await app.close()
  })
})
