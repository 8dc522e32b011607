import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { customDomains } from '#contract/domains/custom-domains.ts'
import type { DomainRole } from '#contract/domains/domain-actions.ts'
import { type Domain, domains } from '#contract/domains/domains.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { beforeNextBatch } from '#tests/before-next-batch.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain, insertMember } from '#tests/insert-domain.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { lockDomain, requireDomainAccess } from './domain-access.ts'

describe.each(engines)('domains, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], { roles: { cleo: ['admin'] } })
  let domainCount = 0
  let domain: Domain
  const toParams = () => ({ id: domain.id })
  beforeEach(async () => {
    domain = (await ada.call(domains.create, { body: { name: `Willowbrook ${++domainCount}` } })).data
  })

  const readRow = () => app.services.db.selectFrom('domains').selectAll().where('id', '=', domain.id).executeTakeFirst()
  const listAuditEntries = () =>
    app.services.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'person_id', 'subject', 'details'])
      .where('domain_id', '=', domain.id)
      .where('action', '!=', 'domain-created')
      .orderBy('at')
      .execute()
  const addMember = (person: Actor, role = 'admin') =>
    ada.call(domains.addMember, { params: toParams(), body: { userId: person.id, role: role as 'admin' } })
  const acceptMembership = (person: Actor) => person.call(domains.agree, { params: toParams() })
  const recordEvents = async (person: Actor, action: () => Promise<unknown>) => {
    const events: LiveEvent[] = []
    const unsubscribe = app.services.live.subscribe(person.id, (event) => events.push(event))
    await action()
    unsubscribe()
    return events
  }

  it('a name suffices: its slug is derived and made unique', async () => {
    const one = (await ada.call(domains.create, { body: { name: 'The Qüay  Choir!', slug: '', description: '' } })).data
    expect(one).toMatchObject({ slug: 'the-quay-choir', description: null, isPrimary: false, ownerId: ada.id, rev: 1 })
    expect(one.permissions).toEqual([{ role: 'owner' }])
    const two = (await ben.call(domains.create, { body: { name: 'The Quay Choir', slug: null } })).data
    expect(two.slug).toMatch(/^the-quay-choir-[0-9a-f]{8}$/)
    const nonLatin = (await ben.call(domains.create, { body: { name: '星' } })).data
    expect(nonLatin.slug).toMatch(/^domain/)
    const short = (await ben.call(domains.create, { body: { name: 'Q' } })).data
    expect(short.slug).toMatch(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/)
  })

  it('twelve concurrent domains of one name get twelve slugs', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => ada.call(domains.create, { body: { name: 'Rush' } })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(new Set(responses.map(({ data }) => data.slug)).size).toBe(12)
  })

  it('a requested slug must be valid and free', async () => {
    for (const slug of ['-a', 'a-', 'A b', 'ö', 'a', 'a_b', `${'x'.repeat(64)}`]) {
      const { status, body } = await ada.call(domains.create, { body: { name: 'N', slug } })
      expect({ slug, status }).toEqual({ slug, status: 400 })
      expect((body.fields as Record<string, string>).slug).toBeTruthy()
    }
    await ada.call(domains.create, { body: { name: 'N', slug: 'tidal-clocks' } })
    const taken = await ben.call(domains.create, { body: { name: 'N', slug: 'tidal-clocks' } })
    expect(taken.status).toBe(409)
    expect(taken.body).toMatchObject({
      code: 'slug-taken',
      fields: { slug: 'This slug is taken. Choose another one.' },
    })
    const blank = await ada.call(domains.create, { body: { name: '  ' } })
    expect(blank.body).toMatchObject({ fields: { name: 'Enter a name.' } })
    expect(blank.status).toBe(400)
  })

  it("slugs of Keeper's own paths are refused, but existing ones stay", async () => {
    for (const slug of ['kip', 'ceox', 'kam', 'api', 'keeper', 'studio', 'login', 'health']) {
      const { status, body } = await ada.call(domains.create, { body: { name: 'N', slug } })
      const problem = `"${slug}" is reserved by Keeper. Choose another slug, for example: ${slug}-domain`
      expect({ status, fields: body.fields }).toEqual({ status: 400, fields: { slug: problem } })
    }
    const capitalized = await ada.call(domains.create, { body: { name: 'N', slug: 'Kip' } })
    expect(capitalized.body.fields).toMatchObject({ slug: expect.stringMatching(/For example: kip-domain$/) })
    for (const slug of ['kip-domain', 'keepers', 'support', 'docs', 'library2'])
      expect({ slug, status: (await ada.call(domains.create, { body: { name: 'N', slug } })).status }).toEqual({
        slug,
        status: 200,
      })

    expect((await ada.call(domains.create, { body: { name: 'Library' } })).data.slug).toBe('library-domain')
    expect((await ada.call(domains.update, { params: toParams(), body: { slug: 'kip' } })).status).toBe(400)
    await app.services.db.updateTable('domains').set({ slug: 'kip' }).where('id', '=', domain.id).execute()
    const updated = await ada.call(domains.update, { params: toParams(), body: { name: 'As before', slug: 'kip' } })
    expect(updated.data).toMatchObject({ name: 'As before', slug: 'kip' })
    await app.services.db
      .updateTable('domains')
      .set({ slug: `renamed-${domainCount}` })
      .where('id', '=', domain.id)
      .execute()
  })

  it('the same idempotency key creates one domain', async () => {
    const headers = { 'idempotency-key': 'a-key-of-this-domain-1' }
    const body = { name: 'Only once' }
    const [one, two] = [
      await ada.call(domains.create, { body, headers }),
      await ada.call(domains.create, { body, headers }),
    ]
    expect(two.data.id).toBe(one.data.id)
  })

  it('the owner changes name, slug and description; other fields are ignored', async () => {
    const body = {
      name: 'Tidal',
      slug: `tidal-${domainCount}`,
      description: 'Clocks',
      ownerId: ben.id,
      isPrimary: true,
    }
    const saved = await ada.call(domains.update, { params: toParams(), ifMatch: 1, body })
    expect(saved.data).toMatchObject({ name: 'Tidal', slug: `tidal-${domainCount}`, description: 'Clocks', rev: 2 })
    expect(saved.data).toMatchObject({ ownerId: ada.id, isPrimary: false })
    const only = await ada.call(domains.update, { params: toParams(), body: { description: null } })
    expect(only.data).toMatchObject({ name: 'Tidal', description: null, rev: 3 })
    const emptied = await ada.call(domains.update, {
      params: toParams(),
      body: { slug: '', name: `Fresh ${domainCount}` },
    })
    expect(emptied.data.slug).toBe(`fresh-${domainCount}`)
    const same = await ada.call(domains.update, { params: toParams(), body: { name: `Fresh ${domainCount}` } })
    expect(same.data.rev).toBe(4)
    expect((await listAuditEntries()).map(({ action, details }) => [action, details])).toEqual([
      ['domain-changed', { changed: 'name, description, slug' }],
      ['domain-changed', { changed: 'description' }],
      ['domain-changed', { changed: 'name, slug' }],
    ])
  })

  it('a taken slug is refused, and nothing is saved', async () => {
    const other = (await ben.call(domains.create, { body: { name: 'Other', slug: `other-${domainCount}` } })).data
    const body = { name: 'New name', slug: other.slug }
    const { status, body: problem } = await ada.call(domains.update, { params: toParams(), body })
    expect(status).toBe(409)
    expect(problem).toMatchObject({ code: 'slug-taken', fields: { slug: expect.any(String) } })
    expect((await readRow())?.name).toBe(domain.name)
  })

  it('a stale edit gets both versions, and of ten concurrent ones one wins', async () => {
    await ada.call(domains.update, { params: toParams(), body: { name: 'Newer' } })
    const stale = await ada.call(domains.update, { params: toParams(), ifMatch: 1, body: { description: 'mine' } })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({
      code: 'stale',
      data: { yours: { description: 'mine' }, current: { name: 'Newer', rev: 2 } },
    })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        ada.call(domains.update, { params: toParams(), ifMatch: 2, body: { name: `Version ${index}` } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect((await readRow())?.rev).toBe(3)
  })

  it("only public Lead agents, the owner's or built-in, can be shown", async () => {
    const lead = { purpose: 'p', agent_class: 'Lead', memory_enabled: true } as const
    const createAgent = async (actor: Actor, body: object) =>
      (await actor.call(agents.create, { body: { name: `L${domainCount}`, ...lead, ...body } as never })).data.id
    const refused = [
      await createAgent(ada, { visibility: 'private' }),
      await createAgent(ada, { visibility: 'public', agent_class: 'Standard' }),
      await createAgent(ben, { visibility: 'public' }),
      'nobody',
    ]
    for (const leadAgentId of refused) {
      const { status, body } = await ada.call(domains.update, { params: toParams(), body: { leadAgentId } })
      expect({ leadAgentId, status }).toEqual({ leadAgentId, status: 400 })
      expect(body).toMatchObject({ fields: { leadAgentId: expect.stringContaining('public Lead agent') } })
    }
    const adasAgentId = await createAgent(ada, { visibility: 'public' })
    expect(
      (await ada.call(domains.update, { params: toParams(), body: { leadAgentId: adasAgentId } })).data.leadAgentId,
    ).toBe(adasAgentId)
    const kip = await app.services.db
      .selectFrom('agents')
      .select('id')
      .where('slug', '=', 'kip')
      .executeTakeFirstOrThrow()
    await addMember(ben)
    const byAdmin = await ben.call(domains.update, { params: toParams(), body: { leadAgentId: kip.id } })
    expect(byAdmin.data.leadAgentId).toBe(kip.id)
    expect(
      (await ada.call(domains.update, { params: toParams(), body: { leadAgentId: null } })).data.leadAgentId,
    ).toBeNull()
  })

  it("there is one primary domain, which can't be deleted or transferred", async () => {
    const newDomains = await Promise.all(
      Array.from({ length: 5 }, (_, index) => ada.call(domains.create, { body: { name: `P${domainCount} ${index}` } })),
    )
    const answers = await Promise.all(
      newDomains.map(({ data }) => ada.call(domains.makePrimary, { params: { id: data.id } })),
    )
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    await ada.call(domains.makePrimary, { params: toParams() })
    const ownDomains = (await ada.call(domains.mine)).data
    expect(ownDomains.filter(({ isPrimary }) => isPrimary).map(({ id }) => id)).toEqual([domain.id])
    expect(ownDomains[0]?.id).toBe(domain.id)
    await addMember(ben)
    for (const refused of [
      await ada.call(domains.remove, { params: toParams() }),
      await ada.call(domains.transfer, { params: toParams(), body: { userId: ben.id } }),
    ]) {
      expect(refused.status).toBe(409)
      expect(refused.body.error).toContain('Make another domain your primary one first.')
    }
    expect((await ada.call(domains.makePrimary, { params: toParams() })).data.isPrimary).toBe(true)
    expect((await ben.call(domains.mine)).data.filter(({ isPrimary }) => isPrimary)).toHaveLength(1)
  })

  it("concurrent deactivation blocks a transfer; former owners can't delete", async () => {
    await addMember(ben)
    await acceptMembership(ben)
    const setBen = (deactivated_at: number | null) =>
      app.services.db.updateTable('people').set({ deactivated_at }).where('id', '=', ben.id).execute()
    beforeNextBatch(app, () => setBen(1))
    const refused = await ada.call(domains.transfer, { params: toParams(), body: { userId: ben.id } })
    await setBen(null)
    expect({ status: refused.status, owner_id: (await readRow())?.owner_id }).toEqual({ status: 409, owner_id: ada.id })
    // Another primary domain would be refused anyway.
    await app.services.db.updateTable('domains').set({ is_primary: false }).where('owner_id', '=', cleo.id).execute()
    const setOwner = ({ id: owner_id }: Actor) =>
      app.services.db.updateTable('domains').set({ owner_id }).where('id', '=', domain.id).execute()
    for (const action of [
      () => ada.call(domains.transfer, { params: toParams(), body: { userId: ben.id } }),
      () => ada.call(domains.makePrimary, { params: toParams() }),
      () => ada.call(domains.remove, { params: toParams() }),
    ]) {
      await setOwner(ada)
      beforeNextBatch(app, () => setOwner(cleo))
      const { status } = await action()
      expect(status).toBeGreaterThanOrEqual(400)
      expect(await readRow()).toMatchObject({ owner_id: cleo.id, is_primary: false })
    }
  })

  it.each(['deactivated_at', 'deletes_at'] as const)("can't be transferred to a member with %s set", async (column) => {
    await addMember(ben)
    await acceptMembership(ben)
    const { db } = app.services
    await db
      .updateTable('people')
      .set({ [column]: 1 })
      .where('id', '=', ben.id)
      .execute()
    const refused = await ada.call(domains.transfer, { params: toParams(), body: { userId: ben.id } })
    await db
      .updateTable('people')
      .set({ [column]: null })
      .where('id', '=', ben.id)
      .execute()
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('Choose another member.') } })
    expect((await readRow())?.owner_id).toBe(ada.id)
  })

  it('deleting it removes memberships, notifies everyone and is audited', async () => {
    await addMember(ben, 'friend')
    const events = await recordEvents(ben, () => ada.call(domains.remove, { params: toParams() }))
    expect(events).toEqual([{ type: 'domains-changed', domainId: domain.id }])
    expect(await readRow()).toBeUndefined()
    expect((await ben.call(domains.mine)).data.map(({ id }) => id)).not.toContain(domain.id)
    expect((await listAuditEntries()).at(-1)).toMatchObject({ action: 'domain-deleted', actor_id: ada.id })
    expect((await ada.call(domains.remove, { params: toParams() })).status).toBe(404)
  })

  it("other people's and unknown domains answer with the same bytes", async () => {
    const calls = [
      (id: string) => ben.call(customDomains.attach, { params: { id } }),
      (id: string) => ben.call(domains.update, { params: { id }, body: { name: 'x' } }),
      (id: string) => ben.call(domains.setCustomDomain, { params: { id }, body: { customDomain: 'a.example.com' } }),
      (id: string) => ben.call(domains.remove, { params: { id } }),
      (id: string) => ben.call(domains.makePrimary, { params: { id } }),
      (id: string) => ben.call(domains.transfer, { params: { id }, body: { userId: ben.id } }),
      (id: string) => ben.call(domains.members, { params: { id } }),
      (id: string) => ben.call(domains.addMember, { params: { id }, body: { userId: ben.id, role: 'admin' } }),
      (id: string) => ben.call(domains.agree, { params: { id } }),
      (id: string) => ben.call(domains.changeMember, { params: { id, userId: ada.id }, body: { role: 'user' } }),
      (id: string) => ben.call(domains.removeMember, { params: { id, userId: ben.id } }),
    ]
    for (const call of calls) {
      const [foreignAnswer, none] = [await call(domain.id), await call(app.services.newId())]
      expect(foreignAnswer.status).toBe(404)
      expect(removeRequestId(foreignAnswer.text)).toBe(removeRequestId(none.text))
    }
  })

  it('platform managers list all domains and never become members', async () => {
    await addMember(ben, 'user')
    const searchNames = async (search: string) =>
      (await cleo.call(domains.all, { query: { search } })).data.map(({ name }) => name)
    const [listed] = (await cleo.call(domains.all, { query: { search: domain.slug.toUpperCase() } })).data
    expect(listed).toMatchObject({ ownerName: 'Ada Lindqvist', ownerEmail: 'ada@willowbrook.example', memberCount: 2 })
    expect(listed).toMatchObject({ permissions: [], isPrimary: false })
    expect(await searchNames('BEN@willow')).toContain('Ben Haugen')
    expect(await searchNames('100%')).toEqual([])
    const names = (await cleo.call(domains.all)).data.map(({ name }) => name.toLowerCase())
    expect(names).toEqual(names.toSorted())
    const edited = await cleo.call(domains.update, { params: toParams(), body: { description: 'Set right' } })
    expect(edited.data).toMatchObject({ description: 'Set right', permissions: [] })
    expect((await listAuditEntries()).at(-1)).toMatchObject({ action: 'domain-changed', actor_id: cleo.id })
    expect((await ada.call(domains.all)).status).toBe(403)
    const asMember = { params: toParams(), body: { userId: cleo.id, role: 'admin' as const } }
    expect((await cleo.call(domains.addMember, asMember)).status).toBe(403)
    expect(
      (await cleo.call(domains.setCustomDomain, { params: toParams(), body: { customDomain: null } })).status,
    ).toBe(403)
  })
})

describe.each(engines)('domains of their owner, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  const insertDomainRow = (id: string, name: string, owner: Actor, is_primary = false) =>
    app.services.db
      .insertInto('domains')
      .values({
        id,
        name,
        slug: id,
        owner_id: owner.id,
        is_primary,
        description: null,
        custom_domain: null,
        custom_domain_verified: false,
        created_at: 1,
        updated_at: 1,
      })
      .execute()

  it('registering creates a primary domain with a slug from the name', async () => {
    const { data, body } = await ada.call(domains.mine)
    expect(body, 'the response has no envelope').toEqual(data)
    expect(data).toEqual([
      {
        id: expect.any(String),
        name: 'Ada Lindqvist',
        slug: 'ada-lindqvist',
        description: null,
        ownerId: ada.id,
        isPrimary: true,
        customDomain: null,
        customDomainVerified: false,
        leadAgentId: null,
        permissions: [{ role: 'owner' }],
        agreed: true,
        rev: 1,
      },
    ])
  })

  it("the primary one is first, then by name, each with one's role", async () => {
    await insertDomainRow('aaa', 'Aaa', ada)
    await insertDomainRow('choir', 'Choir', ben)
    await insertDomainRow('secret', 'Secret', ben)
    await insertMember(app.services, 'choir', ada, 'friend')
    for (const [name, role] of [
      ['cleo', 'admin'],
      ['dot', 'user'],
    ] as const)
      await insertMember(app.services, 'choir', await app.as(name), role)
    const list = (await ada.call(domains.mine)).data
    expect(list.map(({ name, isPrimary, permissions }) => [name, isPrimary, permissions[0]?.role])).toEqual([
      ['Ada Lindqvist', true, 'owner'],
      ['Aaa', false, 'owner'],
      ['Choir', false, 'friend'],
    ])
    expect((await ben.call(domains.mine)).data.map(({ name }) => name)).toEqual(['Ben Haugen', 'Choir', 'Secret'])
  })

  it("someone else's primary domain isn't one's own", async () => {
    const [bens] = (await ben.call(domains.mine)).data
    await insertMember(app.services, bens?.id ?? '', ada, 'user')
    const list = (
      await ada.call(domains.mine, { query: { userId: ben.id } as never, headers: { 'x-user-id': ben.id } })
    ).data
    expect(list.filter(({ isPrimary }) => isPrimary).map(({ name }) => name)).toEqual(['Ada Lindqvist'])
  })
})

describe.each(engines)('changes between reading a domain and acting in it, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let id: string
  beforeEach(async () => {
    id = await insertDomain(app, ada, [[ben, 'admin']])
  })
  const readAccess = (actor: Actor) =>
    requireDomainAccess(app.services, { id: actor.id, permissions: new Set() }, id, 'see')
  const updateDomain = () => app.services.db.updateTable('domains').where('id', '=', id)
  const setRole = (role: Exclude<DomainRole, 'owner'>) =>
    app.services.db.updateTable('domain_members').set({ role }).where('domain_id', '=', id).execute()

  it('an action is done if the domain didn’t change', async () => {
    for (const actor of [ada, ben])
      await app.services.db.batch(lockDomain(app.services, actor, await readAccess(actor)))
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the domain has another owner', () => updateDomain().set({ owner_id: ben.id }).execute()],
    ['the domain is deleted', () => app.services.db.deleteFrom('domains').where('id', '=', id).execute()],
  ])('%s: neither the owner nor an admin can act', async (_, change) => {
    const accesses = [await readAccess(ada), await readAccess(ben)]
    await change()
    for (const [index, actor] of [ada, ben].entries()) {
      const access = accesses[index]
      if (!access) throw new Error('no access was read')
      await expect(app.services.db.batch(lockDomain(app.services, actor, access))).rejects.toThrow(UnexpectedChanges)
    }
  })

  it.each<[string, () => Promise<unknown>]>([
    ['they have another role', () => setRole('user')],
    ['they were removed', () => app.services.db.deleteFrom('domain_members').where('domain_id', '=', id).execute()],
  ])("%s: an admin can't act", async (_, change) => {
    const access = await readAccess(ben)
    await change()
    await expect(app.services.db.batch(lockDomain(app.services, ben, access))).rejects.toThrow(UnexpectedChanges)
  })
})
