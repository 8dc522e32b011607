import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { domains, type MemberRole } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { people } from '#contract/domains/people.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { insertPeople } from '#tests/insert-people.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { listAllDomains, listDomains, selectDomains } from './list-domains.ts'
import { listPeople } from './people/list-people.ts'
import { searchPeople } from './people/search-people.ts'

const rounds = Array.from({ length: 15 }, (_, round) => round)

describe.each(engines)('concurrent transfers and deletions of a domain, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'])

  const invite = (actor: Actor, id: string, emails: string[], role: MemberRole = 'user') =>
    actor.call(invitations.create, { params: { id }, body: { emails, role } })

  it('a member accepting a higher role during a transfer never ends up as both', async () => {
    for (const round of rounds) {
      const id = await insertDomain(app, ada, [
        [ben, 'friend'],
        [cleo, 'admin'],
      ])
      const [invitation] = (await invite(cleo, id, [`guest${round}@example.com`], 'admin')).data
      const token = new URL(invitation?.link ?? '').searchParams.get('invitation') ?? ''
      const [transferred, accepted] = await Promise.all([
        ada.call(domains.transfer, { params: { id }, body: { userId: ben.id } }),
        ben.call(invitations.accept, { body: { token } }),
      ])
      expect(transferred.status).toBe(200)
      expect([200, 403, 409]).toContain(accepted.status)
      const members = app.services.db.selectFrom('domain_members').select('person_id').where('domain_id', '=', id)
      expect((await members.execute()).map(({ person_id }) => person_id).sort()).toEqual([ada.id, cleo.id].sort())
      const transferBack = await ben.call(domains.transfer, { params: { id }, body: { userId: ada.id } })
      expect(transferBack.status, 'ownership can be transferred back').toBe(200)
    }
  })

  it('deleting a domain during invitations and changes does either fully', async () => {
    for (const round of rounds) {
      const id = await insertDomain(app, ada, [
        [ben, 'user'],
        [cleo, 'admin'],
      ])
      const described = { params: { id: `${id}.${ben.id}` }, body: { note: 'Sings' } }
      const removed = ada.call(domains.remove, { params: { id } })
      const responses = await Promise.all([
        invite(cleo, id, [`a${round}@example.com`, `b${round}@example.com`]),
        cleo.call(people.update, described),
        cleo.call(people.update, described),
        invite(ada, id, [`b${round}@example.com`, `c${round}@example.com`]),
        cleo.call(people.update, described),
      ])
      expect((await removed).status).toBe(200)
      for (const { status } of responses) expect([200, 404]).toContain(status)
      const remainingInvitations = app.services.db.selectFrom('invitations').select('id').where('domain_id', '=', id)
      expect(await remainingInvitations.execute()).toEqual([])
    }
    expect(app.logLines.filter((line) => line.includes('unexpected failure'))).toEqual([])
  })

  it('sharing a keeper during its deletion succeeds or finds nothing', async () => {
    const id = await insertDomain(app, ada, [[ben, 'friend']])
    const previousLineCount = app.logLines.length
    const statuses = new Set<number>()
    for (const _ of rounds) {
      const keeper = await createTestKeeper(ada)
      const params = { id, keeperId: keeper.id }
      const shareKeeper = () =>
        ada.call(sharingInDomains.shareKeeper, { params, body: { parts: ['moments'], roles: ['friend'] } })
      const [first, , second] = await Promise.all([
        shareKeeper(),
        app.services.db.deleteFrom('keepers').where('id', '=', keeper.id).execute(),
        shareKeeper(),
      ])
      for (const { status } of [first, second]) statuses.add(status)
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([])
    const sharedKeepers = app.services.db.selectFrom('domain_keepers').select('keeper_id').where('domain_id', '=', id)
    expect(await sharedKeepers.execute()).toEqual([])
    expect(app.logLines.slice(previousLineCount).filter((line) => line.includes('unexpected failure'))).toEqual([])
  })
})

const otherCount = 2000

describe.each(engines)("one person's domains among thousands, on %s", (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  beforeAll(async () => {
    const { db } = app.services
    const people = Array.from({ length: otherCount }, (_, index) => ({
      id: `person-${index}`,
      email: `p${index}@willowbrook.example`,
    }))
    for (let from = 0; from < otherCount; from += 500) {
      const batch = people.slice(from, from + 500)
      await insertPeople(app, batch)
      await db
        .insertInto('domains')
        .values(
          batch.map(({ id }) => ({
            id: `of-${id}`,
            owner_id: id,
            name: id,
            slug: `of-${id}`,
            description: null,
            is_primary: true,
            custom_domain: null,
            custom_domain_verified: false,
            created_at: 1,
            updated_at: 1,
          })),
        )
        .execute()
    }
    const membership = {
      domain_id: 'of-person-7',
      person_id: ada.id,
      role: 'friend',
      added_at: 1,
      agreed_at: 1,
    } as const
    await db
      .insertInto('domain_members')
      .values({ ...membership, added_by: null })
      .execute()
    await db.write(sql`analyze`)
  })

  it('include own and joined domains, the primary domain first', async () => {
    const ownDomains = await listDomains(app.services, ada)
    expect(ownDomains.map(({ name, permissions }) => [name, permissions[0]?.role])).toEqual([
      [cast.ada.name, 'owner'],
      ['person-7', 'friend'],
    ])
  })

  it("are found without reading everyone's", async () => {
    const query = selectDomains(app.services, ada)
    const plan = JSON.stringify(await query.explain(undefined, engine === 'sqlite' ? sql`query plan` : undefined))
    expect(plan).toMatch(/domains/)
    expect(plan).not.toMatch(/SCAN domains|Seq Scan on domains/)
  })

  it('are listed completely for platform managers, a thousand per page', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const readPages = async (query: { search?: string }) => {
      const pages: string[][] = []
      for (let after: string | undefined; ; ) {
        const { data } = await cleo.call(domains.all, { query: { ...query, ...(after && { after }) } })
        pages.push(data.map(({ name }) => name))
        after = data.at(-1)?.id
        if (data.length < 1000) return pages
      }
    }
    const pages = await readPages({})
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, otherCount + 2 - 2000])
    const names = pages.flat()
    expect(new Set(names).size).toBe(otherCount + 2)
    expect(names.map((name) => name.toLowerCase())).toEqual(names.map((name) => name.toLowerCase()).toSorted())
    expect((await readPages({ search: 'person-' })).map(({ length }) => length)).toEqual([1000, 1000, 0])
    const missing = await cleo.call(domains.all, { query: { after: 'nowhere' } })
    expectInvalid(missing, 'after')
  })

  it('list all members page by page, also those without a name', async () => {
    const { data: domain } = await ada.call(domains.create, { body: { name: 'All of them' } })
    const member = { domain_id: domain.id, role: 'friend', added_at: 1, agreed_at: 1, added_by: null } as const
    for (let from = 0; from < otherCount; from += 500) {
      const batch = Array.from({ length: 500 }, (_, index) => ({ ...member, person_id: `person-${from + index}` }))
      await app.services.db.insertInto('domain_members').values(batch).execute()
    }
    await app.services.db.updateTable('people').set({ name: 'Lin' }).where('id', '=', 'person-3').execute()
    const pages: string[][] = []
    while (pages.length === 0 || pages.at(-1)?.length === 1000) {
      const after = pages.at(-1)?.at(-1)
      const query = after === undefined ? {} : { query: { after } }
      const { data } = await ada.call(domains.members, { params: { id: domain.id }, ...query })
      pages.push(data.map(({ userId }) => userId))
    }
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 1])
    expect(pages[0]?.[0]).toBe(ada.id)
    expect(pages[2]?.[0]).toBe('person-3')
    expect(new Set(pages.flat()).size).toBe(otherCount + 1)
  })

  // PostgreSQL reads concurrently anyway.
  if (engine === 'sqlite')
    it.each<[string, (services: Services, person: Person) => Promise<unknown>]>([
      ['the people of her domains', (services, person) => listPeople(services, person, {})],
      ['people by the beginning of a name', (services, person) => searchPeople(services, person, 'lin')],
      ['every domain by a word', (services, person) => listAllDomains(services, person, { search: 'person-7' })],
    ])('listing %s blocks no one else', async (_, request) => {
      const { services } = app
      const { engineDriver } = services.db
      const read = vi.spyOn(engineDriver, 'read')
      await request(services, { id: ada.id, permissions: new Set() } as unknown as Person)
      const statements = read.mock.calls.map(([statement]) => statement)
      read.mockRestore()
      const plans = await Promise.all(
        statements.map(({ sql: text, parameters }) =>
          engineDriver.read({ sql: `explain query plan ${text}`, parameters }),
        ),
      )
      expect(JSON.stringify(plans)).not.toMatch(/SCAN (people|domains|domain_members)/)
    })
})
