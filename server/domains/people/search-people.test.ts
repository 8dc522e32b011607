import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { domains } from '#contract/domains/domains.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('searching for people, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeAll(async () => {
    await add('asa', 'Åsa Berg')
    await add('benedikt', 'Benedikt_100% Low')
    await add('gone', 'Benno Gone', { deactivated_at: 1 })
    await add('nameless', null)
    // Ada and Member are in Ben's choir.
    await add('member', 'Member Mine')
    await app.services.db
      .insertInto('domains')
      .values({
        id: 'choir',
        name: 'Choir',
        slug: 'choir',
        owner_id: ben.id,
        is_primary: false,
        description: null,
        custom_domain: null,
        custom_domain_verified: false,
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    for (const person_id of [ada.id, 'member'])
      await app.services.db
        .insertInto('domain_members')
        .values({ domain_id: 'choir', person_id, role: 'user', added_at: 1, agreed_at: 1 })
        .execute()
  })
  beforeEach(() => app.passTime(60_000))

  const add = (id: string, name: string | null, more: { deactivated_at?: number } = {}) =>
    app.services.db
      .insertInto('people')
      .values({
        id,
        email: `${id}@Elsewhere.example`,
        email_folded: `${id}@elsewhere.example`,
        name,
        password_hash: 'x',
        nickname: null,
        preferred_theme_id: null,
        created_at: 1,
        last_sign_in_at: null,
        deactivated_at: null,
        ...more,
      })
      .execute()
  const search = (query: string, actor = ada) => actor.call(domains.searchPeople, { query: { query } })
  const searchIds = async (query: string) => (await search(query)).data.map(({ id }) => id)

  it("finds people by the start of a word, one's own domains first", async () => {
    const { data, body } = await search('ben')
    expect(body, 'the answer is bare').toEqual(data)
    expect(data).toEqual([
      { id: ben.id, name: 'Ben Haugen', email: 'ben@willowbrook.example', createdAt: expect.any(String) },
      { id: 'benedikt', name: 'Benedikt_100% Low', email: null, createdAt: null },
    ])
    expect(await searchIds('HAUG')).toEqual([ben.id])
    expect(await searchIds('augen')).toEqual([])
    for (const query of ['åsa', 'Åsa', 'ås', 'Åsa Be', 'berg']) expect(await searchIds(query), query).toEqual(['asa'])
  })

  it('shows and searches emails of visible people or exact matches only', async () => {
    expect((await search('member@else')).data).toEqual([
      { id: 'member', name: 'Member Mine', email: 'member@Elsewhere.example', createdAt: '1970-01-01T00:00:00.001Z' },
    ])
    for (const query of ['asa@', 'asa@elsewhere.exampl', 'nameless@elsewhere', 'elsewhere.example', '@elsewhere'])
      expect(await searchIds(query), query).toEqual([])
    expect((await search(' ASA@elsewhere.EXAMPLE ')).data).toEqual([
      { id: 'asa', name: 'Åsa Berg', email: 'asa@Elsewhere.example', createdAt: null },
    ])
    expect((await search('nameless@elsewhere.example')).data).toEqual([
      { id: 'nameless', name: null, email: 'nameless@Elsewhere.example', createdAt: null },
    ])
  })

  it('finds neither oneself nor deactivated people', async () => {
    for (const query of ['Ada', 'ada@willowbrook.example', 'Benno', 'gone@elsewhere.example'])
      expect(await searchIds(query), query).toEqual([])
  })

  it('takes every character literally', async () => {
    for (const query of ['%%', '__', 'B%', '\\\\', "';--"]) expect(await searchIds(query), query).toEqual([])
    expect(await searchIds('benedikt_100%')).toEqual(['benedikt'])
  })

  it('needs two characters and returns at most ten people', async () => {
    for (const query of ['', 'b', ' b ']) {
      const answer = await search(query)
      expect({ status: answer.status, fields: Object.keys(answer.body.fields ?? {}) }).toEqual({
        status: 400,
        fields: ['query'],
      })
    }
    for (let index = 0; index < 12; index++) await add(`crowd${index}`, `Crowd ${index}`)
    expect(await searchIds('crowd')).toHaveLength(10)
  })

  it("can't enumerate the addresses of strangers", async () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('')
    let responses = ''
    for (const first of alphabet) {
      for (const second of ['', ...alphabet]) {
        app.passTime(5_000)
        const answer = await search(`${first}${second}`.padEnd(2, '@'))
        expect(answer.status).toBe(200)
        responses += answer.text
      }
    }
    expect(responses).toContain('member@Elsewhere.example')
    for (const id of ['asa', 'benedikt', 'nameless', 'crowd', 'gone']) expect(responses).not.toContain(`${id}@`)
  }, 60_000)

  it('is limited to 20 a minute per person', async () => {
    app.passTime(60_000 - (app.services.now().getTime() % 60_000))
    for (let index = 0; index < 20; index++) expect((await search('ben')).status).toBe(200)
    const refused = await search('ben')
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'too-many' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await search('ada', ben)).status).toBe(200)
    app.passTime(60_000)
    expect((await search('ben')).status).toBe(200)
  })
})
