import { beforeEach, describe, expect, it } from 'vitest'
import type { Domain } from '#contract/domains/domains.ts'
import { domains } from '#contract/domains/domains.ts'
import { beforeNextBatch } from '#tests/before-next-batch.ts'
import { engines } from '#tests/engines.ts'
import { injectDatabaseFaults } from '#tests/failing-database.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { HostingFailure } from './hosting/hosting-driver.ts'

describe.each(engines)('the custom domain of a domain, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let domain: Domain
  let hostCount = 0
  const toParams = () => ({ id: domain.id })
  const readRow = () => app.services.db.selectFrom('domains').selectAll().where('id', '=', domain.id).executeTakeFirst()
  const setHost = (customDomain: string | null, actor = ada) =>
    actor.call(domains.setCustomDomain, { params: toParams(), body: { customDomain } })
  const detached: string[] = []
  beforeEach(async () => {
    domain = (await ada.call(domains.create, { body: { name: `Willowbrook ${++hostCount}` } })).data
    detached.length = 0
    app.services.hosting = {
      name: 'dns',
      attach: async () => {},
      detach: async ({ hostname }: { hostname: string }) => void detached.push(hostname),
    } as never
  })
  const attach = (verified: boolean) =>
    app.services.db
      .updateTable('domains')
      .set({ custom_domain_attached_at: 5, custom_domain_verified: verified, custom_domain_broken_since: 7 })
      .where('id', '=', domain.id)
      .execute()

  it('is normalized, and replacing it releases the former', async () => {
    const host = `keep${hostCount}.willowbrook.com`
    expect((await setHost(` https://KEEP${hostCount}.Willowbrook.com/x `)).data).toMatchObject({ customDomain: host })
    const previous = await readRow()
    expect(previous?.custom_domain_token).toMatch(/^[0-9a-f]{20}$/)
    await attach(true)
    await app.services.customHosts.load(app.services.db)
    expect(app.services.customHosts.find(host)).toBeDefined()

    await setHost(host)
    expect(await readRow(), 'the same name again changes nothing').toMatchObject({
      custom_domain_token: previous?.custom_domain_token,
      custom_domain_verified: true,
    })
    await setHost(`other${hostCount}.willowbrook.com`)
    const replaced = await readRow()
    expect(replaced).toMatchObject({
      custom_domain: `other${hostCount}.willowbrook.com`,
      custom_domain_verified: false,
      custom_domain_attached_at: null,
      custom_domain_broken_since: null,
    })
    expect(replaced?.custom_domain_token).not.toBe(previous?.custom_domain_token)
    expect(detached).toEqual([host])
    expect(app.services.customHosts.find(host), 'no longer served').toBeUndefined()
  })

  it("an invalid name or the server's own is refused, naming the field", async () => {
    for (const text of ['', 'no dots', '192.0.2.7', 'localhost', 'ftp://', 'a..b.com']) {
      const { status, body } = await setHost(text)
      expect({ text, status }).toEqual({ text, status: 400 })
      expect(body).toMatchObject({ fields: { customDomain: expect.any(String) } })
    }
    expect((await readRow())?.custom_domain).toBeNull()
  })

  it('a stale change gets both versions and changes nothing', async () => {
    const changeDomain = (body: { customDomain?: string }, ifMatch?: number) =>
      ada.call(domains.setCustomDomain, { params: toParams(), body, ...(ifMatch !== undefined && { ifMatch }) })
    const first = `first${hostCount}.willowbrook.com`
    expect((await changeDomain({ customDomain: first }, 1)).data).toMatchObject({ customDomain: first, rev: 2 })
    const stale = await changeDomain({ customDomain: `second${hostCount}.willowbrook.com` }, 1)
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect(stale.body.data).toMatchObject({
      yours: { customDomain: `second${hostCount}.willowbrook.com`, rev: 1 },
      current: { customDomain: first, rev: 2 },
    })
    const absent = await changeDomain({})
    expect(absent).toMatchObject({ status: 200, data: { customDomain: first, rev: 2 } })
    expect(await readRow()).toMatchObject({ custom_domain: first, rev: 2 })
  })

  it('only the owner sets it; two domains can share it until one verifies', async () => {
    await ada.call(domains.addMember, { params: toParams(), body: { userId: ben.id, role: 'admin' } })
    expect((await setHost('a.willowbrook.com', ben)).status).toBe(403)
    const bensDomain = (await ben.call(domains.create, { body: { name: 'Bens' } })).data
    const sharedHost = { customDomain: `shared${hostCount}.willowbrook.com` }
    await setHost(sharedHost.customDomain)
    const bensResponse = await ben.call(domains.setCustomDomain, { params: { id: bensDomain.id }, body: sharedHost })
    expect(bensResponse.status).toBe(200)
    await attach(false)
    await app.services.db
      .updateTable('domains')
      .set({ custom_domain_attached_at: 6 })
      .where('id', '=', bensDomain.id)
      .execute()
    await setHost(null)
    expect(detached, 'the other domain still needs the host at the provider').toEqual([])
  })

  it('is released with its domain, and a provider failure is logged', async () => {
    await setHost(`removed${hostCount}.willowbrook.com`)
    await attach(true)
    app.services.hosting = {
      name: 'dns',
      detach: async () => {
        throw new HostingFailure('500', 'down')
      },
    } as never
    app.logLines.length = 0
    expect((await ada.call(domains.remove, { params: toParams() })).status).toBe(200)
    expect(await readRow()).toBeUndefined()
    expect(app.logLines.filter((line) => line.includes('could not be detached'))).toHaveLength(1)
  })

  it.each([
    [
      'removed',
      ({ id }: Domain) => ada.call(domains.setCustomDomain, { params: { id }, body: { customDomain: null } }),
    ],
    ['deleted with its domain', ({ id }: Domain) => ada.call(domains.remove, { params: { id } })],
  ])('%s: it is released and published, whatever fails afterwards', async (_, action) => {
    const failing = injectDatabaseFaults(app.services.db)
    const notified: string[] = []
    const unsubscribe = app.services.live.subscribe(ada.id, () => notified.push(ada.id))
    const findDomain = (id: string) =>
      app.services.db.selectFrom('domains').select('custom_domain').where('id', '=', id).executeTakeFirst()
    const [releasedIndexes, unpublishedIndexes]: [number[], number[]] = [[], []]
    for (let index = 1; ; index++) {
      const createdDomain = (await ada.call(domains.create, { body: { name: `Failing ${hostCount} ${index}` } })).data
      const host = `failing${hostCount}-${index}.willowbrook.com`
      await ada.call(domains.setCustomDomain, { params: { id: createdDomain.id }, body: { customDomain: host } })
      await app.services.db
        .updateTable('domains')
        .set({ custom_domain_attached_at: 5, custom_domain_verified: true })
        .where('id', '=', createdDomain.id)
        .execute()
      detached.length = 0
      notified.length = 0
      failing.arm(index, 'once')
      const { status } = await action(createdDomain)
      failing.disarm()
      if (!failing.hasFailed) break
      if ((await findDomain(createdDomain.id))?.custom_domain) continue
      expect({ at: index, status, detached }).toEqual({ at: index, status: 200, detached: [host] })
      // Finding the people to notify is a query, too.
      if (notified.length === 0) unpublishedIndexes.push(index)
      releasedIndexes.push(index)
    }
    unsubscribe()
    expect(releasedIndexes.length).toBeGreaterThan(2)
    expect(releasedIndexes.slice(0, -1).filter((at) => unpublishedIndexes.includes(at))).toEqual([])
  })

  it.each([
    ['removed', () => setHost(null)],
    ['replaced', () => setHost(`another${hostCount}.willowbrook.com`)],
    ['deleted with its domain', () => ada.call(domains.remove, { params: toParams() })],
  ])('%s while being added: it is released', async (_, action) => {
    const host = `added${hostCount}.willowbrook.com`
    await setHost(host)
    beforeNextBatch(app, () => attach(false))
    expect((await action()).status).toBe(200)
    expect(detached).toEqual([host])
  })

  it('setting and removing are audited', async () => {
    await setHost(`audited${hostCount}.willowbrook.com`)
    await setHost(null)
    await setHost(null)
    const auditEntries = await app.services.db
      .selectFrom('audit_events')
      .select(['action', 'subject'])
      .where('domain_id', '=', domain.id)
      .where('action', '!=', 'domain-created')
      .orderBy('at')
      .execute()
    expect(auditEntries.map(({ action, subject }) => [action, subject])).toEqual([
      ['custom-domain-set', `audited${hostCount}.willowbrook.com`],
      ['custom-domain-removed', `audited${hostCount}.willowbrook.com`],
    ])
  })
})
