import { describe, expect, it } from 'vitest'
import { domains } from '#contract/domains/domains.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)("one's own domains, on %s", (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  const add = (id: string, name: string, owner: Actor, is_primary = false) =>
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
    expect(body, 'the answer is bare').toEqual(data)
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
    await add('aaa', 'Aaa', ada)
    await add('choir', 'Choir', ben)
    await add('secret', 'Secret', ben)
    await app.services.db
      .insertInto('domain_members')
      .values({ domain_id: 'choir', person_id: ada.id, role: 'friend', added_at: 1, agreed_at: 1 })
      .execute()
    for (const [name, role] of [
      ['cleo', 'admin'],
      ['dot', 'user'],
    ] as const)
      await app.services.db
        .insertInto('domain_members')
        .values({ domain_id: 'choir', person_id: (await app.as(name)).id, role, added_at: 1, agreed_at: 1 })
        .execute()
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
    await app.services.db
      .insertInto('domain_members')
      .values({ domain_id: bens?.id ?? '', person_id: ada.id, role: 'user', added_at: 1, agreed_at: 1 })
      .execute()
    const list = (
      await ada.call(domains.mine, { query: { userId: ben.id } as never, headers: { 'x-user-id': ben.id } })
    ).data
    expect(list.filter(({ isPrimary }) => isPrimary).map(({ name }) => name)).toEqual(['Ada Lindqvist'])
  })
})
