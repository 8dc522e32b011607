import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { domains, type MemberRole } from '#contract/domains/domains.ts'
import { type DomainPerson, people } from '#contract/domains/people.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import type { Schema } from '#server/db/schema.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { insertPeople } from '#tests/insert-people.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('people of domains, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])

  async function createDomainWith(members: [Actor, MemberRole][], name = 'Willowbrook'): Promise<string> {
    const id = await insertDomain(app, ada, members, name)
    const [created_at, added_at] = [Date.parse('2026-01-02'), Date.parse('2026-02-03')]
    await app.services.db.batch([
      app.services.db.updateTable('domains').set({ created_at }).where('id', '=', id),
      app.services.db.updateTable('domain_members').set({ added_at }).where('domain_id', '=', id),
    ])
    return id
  }

  async function invite(
    domainId: string,
    email: string,
    overrides: Partial<Schema['invitations']> = {},
  ): Promise<string> {
    const id = app.services.newId()
    const now = app.services.now().getTime()
    await app.services.db
      .insertInto('invitations')
      .values({
        id,
        domain_id: domainId,
        email,
        email_folded: email.toLowerCase(),
        role: 'friend',
        note: 'Welcome.',
        token_hash: id,
        invited_by: ada.id,
        created_at: now,
        sent_at: now,
        expires_at: now + 1000 * 60 * 60,
        accepted_at: null,
        accepted_by: null,
        revoked_at: null,
        ...overrides,
      } as never)
      .execute()
    return id
  }

  const listPeople = async (actor: Actor, query: Record<string, string> = {}) =>
    (await actor.call(people.list, { query })).data
  const findPerson = (domainPeople: DomainPerson[], actor: Actor) =>
    domainPeople.find(({ userId }) => userId === actor.id)
  const changePerson = (actor: Actor, domainId: string, target: Actor, body: object) =>
    actor.call(people.update, { params: { id: `${domainId}.${target.id}` }, body })

  it('the owner sees owner, members and invited people with dates', async () => {
    const domainId = await createDomainWith([[ben, 'admin']])
    const invitationId = await invite(domainId, 'Ida@example.com')
    await invite(domainId, 'revoked@example.com', { revoked_at: 1 })
    await invite(domainId, 'expired@example.com', { expires_at: 1 })
    await invite(domainId, 'accepted@example.com', { accepted_at: 1, accepted_by: ben.id })

    const { people: all, summary } = await listPeople(ada, { domainId })

    const today = app.services.now().toISOString().slice(0, 10)
    expect(all.map(({ name, email, relation, status }) => [name ?? email, relation, status])).toEqual([
      ['Ada Lindqvist', 'owner', 'active'],
      ['Ben Haugen', 'admin', 'active'],
      ['Ida@example.com', 'friend', 'pending'],
    ])
    expect(findPerson(all, ben)).toEqual({
      id: `${domainId}.${ben.id}`,
      domainId,
      domainName: 'Willowbrook',
      userId: ben.id,
      invitationId: null,
      name: 'Ben Haugen',
      email: 'ben@willowbrook.example',
      avatar: null,
      relation: 'admin',
      status: 'active',
      since: '2026-02-03T00:00:00.000Z',
      expiresAt: null,
      lastActiveAt: today,
      journeyIds: [],
      note: '',
      mayChange: true,
    })
    expect(findPerson(all, ada)).toMatchObject({ mayChange: false, since: '2026-01-02T00:00:00.000Z' })
    expect(all.at(-1)).toMatchObject({
      id: invitationId,
      invitationId,
      userId: null,
      lastActiveAt: null,
      mayChange: false,
    })
    expect(summary).toEqual({ total: 3, active: 2, pending: 1, domains: 1, journeys: 0 })
  })

  it('the filter leaves the summary unchanged', async () => {
    const domainId = await createDomainWith([[ben, 'user']])
    await invite(domainId, 'ida@example.com')
    const summary = { total: 3, active: 2, pending: 1, domains: 1, journeys: 0 }
    expect(await listPeople(ada, { domainId, status: 'pending' })).toMatchObject({
      people: [{ email: 'ida@example.com' }],
      summary,
    })
    const active = await listPeople(ada, { domainId, status: 'active' })
    expect(active.people.map(({ status }) => status)).toEqual(['active', 'active'])
    expect(active.summary).toEqual(summary)
  })

  it('a list without a domain covers all domains and counts people once', async () => {
    const choir = await createDomainWith(
      [
        [ben, 'admin'],
        [dot, 'user'],
      ],
      'Choir',
    )
    await invite(choir, 'ida@example.com')
    await createDomainWith([[dot, 'friend']], 'Quay')
    const { people: all, summary } = await listPeople(dot)
    expect(
      all
        .filter(({ userId }) => userId === dot.id)
        .map(({ domainName }) => domainName)
        .sort(),
    ).toEqual(['Choir', 'Dot Moe', 'Quay'])
    expect(all.filter(({ mayChange }) => mayChange).map(({ userId }) => userId)).toEqual([])
    expect(summary).toMatchObject({ total: 3, active: 3, pending: 0, domains: 3 })
    const owned = await app.services.db.selectFrom('domains').select('id').where('owner_id', '=', ada.id).execute()
    expect((await listPeople(ada)).summary.domains, 'each domain once, whatever its size').toBe(owned.length)
  })

  it('a person in one domain and invited to another counts once, as active', async () => {
    const orchard = await cleo.call(domains.create, { body: { name: 'Orchard', slug: '', description: '' } })
    const previous = (await listPeople(cleo)).summary
    await createDomainWith([[cleo, 'admin']], 'Mill')
    await invite(orchard.data.id, 'ADA@willowbrook.example')
    await invite(orchard.data.id, 'nobody-yet@example.com')
    const { summary } = await listPeople(cleo)
    expect(summary).toMatchObject({
      total: previous.total + 2,
      active: previous.active + 1,
      pending: previous.pending + 1,
    })
  })

  it('a member sees people without notes and invitations; a stranger nothing', async () => {
    const domainId = await createDomainWith([
      [ben, 'friend'],
      [dot, 'user'],
    ])
    await invite(domainId, 'ida@example.com')
    await changePerson(ada, domainId, dot, { note: 'Sings alto.' })

    const { data, text } = await ben.call(people.list, { query: { domainId } })
    expect(data.people.map(({ mayChange }) => mayChange)).toEqual([false, false, false])
    expect(text).not.toContain('Sings alto')
    expect(text).not.toContain('ida@example.com')
    expect(data.summary).toMatchObject({ total: 3, pending: 0 })

    const dotsResponse = await dot.call(people.list, { query: { domainId } })
    expect(dotsResponse.text, 'people can’t read the note about themselves').not.toContain('Sings alto')
    const refused = await cleo.call(people.list, { query: { domainId } })
    expect(refused.status).toBe(404)
    const { status, body } = await cleo.call(people.list, { query: { domainId: 'nowhere' } })
    expect({ status, body: { ...body, requestId: '' } }).toEqual({
      status: 404,
      body: { ...refused.body, requestId: '' },
    })
  })

  it("owner and admins change roles, but not their own or the owner's", async () => {
    const domainId = await createDomainWith([
      [ben, 'admin'],
      [dot, 'user'],
    ])
    const changed = await changePerson(ben, domainId, dot, { relation: 'connection' })
    expect(changed.data).toMatchObject({ id: `${domainId}.${dot.id}`, relation: 'connection', mayChange: true })
    expect((await changePerson(ben, domainId, ben, { relation: 'user' })).status).toBe(403)
    expect((await changePerson(ben, domainId, ada, { relation: 'user' })).status).toBe(409)
    expect((await changePerson(dot, domainId, ben, { relation: 'user' })).status).toBe(403)
    expect((await changePerson(cleo, domainId, ben, { relation: 'user' })).status).toBe(404)
    expect((await changePerson(ada, domainId, cleo, { relation: 'user' })).status).toBe(404)
    expect((await changePerson(ada, domainId, dot, { relation: 'owner' })).status).toBe(400)
    const { people: all } = await listPeople(ada, { domainId })
    expect(all.map(({ relation }) => relation)).toEqual(['owner', 'admin', 'connection'])
  })

  it('a refused change changes nothing, even next to an allowed one', async () => {
    const domainId = await createDomainWith([[ben, 'user']])
    const { status } = await changePerson(ada, domainId, ben, {
      relation: 'admin',
      note: 'Tenor.',
      journeyIds: ['nowhere'],
    })
    expect(status).toBe(400)
    expect(findPerson((await listPeople(ada, { domainId })).people, ben)).toMatchObject({ relation: 'user', note: '' })
  })

  it("invited people can't be changed, and only managers learn why", async () => {
    const domainId = await createDomainWith([[ben, 'user']])
    const id = await invite(domainId, 'ida@example.com')
    const request = async (actor: Actor) =>
      (await actor.call(people.update, { params: { id }, body: { relation: 'user' } })).status
    expect(await Promise.all([ada, ben, cleo].map(request))).toEqual([409, 403, 404])
  })

  it("a concurrent note isn't overwritten: both are shown", async () => {
    const domainId = await createDomainWith([
      [ben, 'admin'],
      [dot, 'user'],
    ])
    await changePerson(ben, domainId, dot, { note: 'Sings alto.', noteBefore: '' })
    const stale = await changePerson(ada, domainId, dot, { note: 'Sings tenor.', noteBefore: '' })
    expect(stale.status).toBe(409)
    expect(stale.data).toEqual({ yours: { note: 'Sings tenor.' }, current: { note: 'Sings alto.' } })
    const merged = await changePerson(ada, domainId, dot, { note: 'Sings both.', noteBefore: 'Sings alto.' })
    expect(merged.data).toMatchObject({ note: 'Sings both.' })
    const responses = await Promise.all(
      ['One.', 'Two.'].map((note) => changePerson(ada, domainId, dot, { note, noteBefore: 'Sings both.' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('changes notify every tab of everyone there', async () => {
    const domainId = await createDomainWith([
      [ben, 'user'],
      [dot, 'user'],
    ])
    const notified: string[] = []
    const unsubscribers = [ada, ben, dot, cleo].map(({ id }) =>
      app.services.live.subscribe(id, () => notified.push(id)),
    )
    await changePerson(ada, domainId, ben, { note: 'Tenor.' })
    for (const unsubscribe of unsubscribers) unsubscribe()
    expect(notified.toSorted()).toEqual([ada.id, ben.id, dot.id].toSorted())
  })

  it('activity is listed newest first, without notes and emails', async () => {
    const domainId = await createDomainWith([
      [ben, 'user'],
      [dot, 'user'],
    ])
    const readActivity = (actor: Actor, query: Record<string, string | number> = {}) =>
      actor.call(people.activity, { params: { id: domainId }, query })
    await changePerson(ada, domainId, ben, { relation: 'friend' })
    await changePerson(ada, domainId, ben, { note: 'Sings tenor.' })
    await app.services.db.batch([
      insertAudit(app.services, { action: 'invitation-sent', actor: ada, domainId, subject: 'user' }),
    ])

    const first = await readActivity(ada, { limit: 2 })
    expect(first.data.items.map(({ action }) => action)).toHaveLength(2)
    const nextPage = await readActivity(ada, { limit: 2, cursor: first.data.next_cursor ?? '' })
    const all = [...first.data.items, ...nextPage.data.items]
    expect(nextPage.data.next_cursor).toBe(null)
    expect(all.map(({ action }) => action).toSorted()).toEqual([
      'invitation-sent',
      'member-role-changed',
      'person-noted',
    ])
    expect(all.find(({ action }) => action === 'member-role-changed')).toMatchObject({
      actor: { id: ada.id, name: 'Ada Lindqvist' },
      person: { id: ben.id, name: 'Ben Haugen' },
      details: { from: 'user', to: 'friend' },
    })
    expect(first.text + nextPage.text).not.toContain('Sings tenor')

    const friendResponse = await readActivity(dot)
    expect(
      friendResponse.data.items.map(({ action }) => action).toSorted(),
      'a plain member can’t see the note',
    ).toEqual(['invitation-sent', 'member-role-changed'])
    expect(friendResponse.text).not.toMatch(/@/)
    expect((await readActivity(cleo)).status).toBe(404)
    expect((await readActivity(ada, { cursor: 'nonsense' })).status).toBe(400)
  })

  it('a thousand people take as many reads as one', async () => {
    const domainId = await createDomainWith([])
    const { db } = app.services
    const listCountingStatements = async () => {
      const read = vi.spyOn(db.getExecutor(), 'executeQuery')
      const listed = await listPeople(ada, { domainId })
      const statementCount = read.mock.calls.length
      read.mockRestore()
      return { ...listed, statementCount }
    }
    const onMainThread = vi.spyOn(db.engineDriver, 'read')
    await listPeople(ada, { domainId })
    const texts = onMainThread.mock.calls.map(([{ sql }]) => sql)
    const memberReads = texts.filter((text) => text.includes('"domain_members"."note"'))
    onMainThread.mockRestore()
    // PostgreSQL reads concurrently anyway.
    if (engine === 'sqlite') expect(memberReads, 'other requests don’t wait for the read').toEqual([])
    const { statementCount: statementCountOfOne } = await listCountingStatements()
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      id: app.services.newId(),
      email: `p${index}-${domainId}@example.com`,
      name: `Person ${index}`,
      last_sign_in_at: 1,
    }))
    for (let from = 0; from < rows.length; from += 100) {
      const batch = rows.slice(from, from + 100)
      await insertPeople(app, batch)
      const member = { domain_id: domainId, role: 'user', added_at: 1, agreed_at: 1 } as const
      await db
        .insertInto('domain_members')
        .values(batch.map(({ id }) => ({ ...member, person_id: id })))
        .execute()
    }
    const { people: all, summary, statementCount } = await listCountingStatements()
    expect({ listed: all.length, total: summary.total }).toEqual({ listed: 1001, total: 1001 })
    expect(statementCountOfOne).toBeGreaterThan(0)
    expect(statementCount).toBe(statementCountOfOne)
  })
})

describe.each(engines)('searching for people, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeAll(async () => {
    await insertPerson('asa', 'Åsa Berg')
    await insertPerson('benedikt', 'Benedikt_100% Low')
    await insertPerson('deactivated', 'Benno Former', { deactivated_at: 1 })
    await insertPerson('nameless', null)
    // Ada and Member are in Ben's choir.
    await insertPerson('member', 'Member Mine')
    await insertDomain(app, ben, [
      [ada, 'user'],
      [{ id: 'member' }, 'user'],
    ])
  })
  beforeEach(() => app.passTime(60_000))

  const insertPerson = (id: string, name: string | null, overrides: { deactivated_at?: number } = {}) =>
    insertPeople(app, [{ id, name, email: `${id}@Other.example`, ...overrides }])
  const search = (query: string, actor = ada) => actor.call(domains.searchPeople, { query: { query } })
  const searchIds = async (query: string) => (await search(query)).data.map(({ id }) => id)

  it("finds people by the start of a word, one's own domains first", async () => {
    const { data, body } = await search('ben')
    expect(body, 'the response has no envelope').toEqual(data)
    expect(data).toEqual([
      { id: ben.id, name: 'Ben Haugen', email: 'ben@willowbrook.example', createdAt: expect.any(String) },
      { id: 'benedikt', name: 'Benedikt_100% Low', email: null, createdAt: null },
    ])
    expect(await searchIds('HAUG')).toEqual([ben.id])
    expect(await searchIds('augen')).toEqual([])
    for (const query of ['åsa', 'Åsa', 'ås', 'Åsa Be', 'berg']) expect(await searchIds(query), query).toEqual(['asa'])
  })

  it('finds visible people by a part of their email, others only by all of it', async () => {
    expect((await search('member@oth')).data).toEqual([
      { id: 'member', name: 'Member Mine', email: 'member@Other.example', createdAt: '1970-01-01T00:00:00.001Z' },
    ])
    for (const query of ['asa@', 'asa@other.exampl', 'nameless@other', 'other.example', '@other'])
      expect(await searchIds(query), query).toEqual([])
    expect((await search(' ASA@other.EXAMPLE ')).data).toEqual([
      { id: 'asa', name: 'Åsa Berg', email: 'asa@Other.example', createdAt: null },
    ])
    expect((await search('nameless@other.example')).data).toEqual([
      { id: 'nameless', name: null, email: 'nameless@Other.example', createdAt: null },
    ])
  })

  it('finds neither oneself nor deactivated people', async () => {
    for (const query of ['Ada', 'ada@willowbrook.example', 'Benno', 'deactivated@other.example'])
      expect(await searchIds(query), query).toEqual([])
  })

  it('takes every character literally', async () => {
    for (const query of ['%%', '__', 'B%', '\\\\', "';--"]) expect(await searchIds(query), query).toEqual([])
    expect(await searchIds('benedikt_100%')).toEqual(['benedikt'])
  })

  it('needs two characters and returns at most ten people', async () => {
    for (const query of ['', 'b', ' b ']) {
      const answer = await search(query)
      expectInvalid(answer, 'query')
    }
    for (let index = 0; index < 12; index++) await insertPerson(`crowd${index}`, `Crowd ${index}`)
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
    expect(responses).toContain('member@Other.example')
    for (const id of ['asa', 'benedikt', 'nameless', 'crowd', 'deactivated']) expect(responses).not.toContain(`${id}@`)
  }, 60_000)

  it('is limited to 20 a minute per person', async () => {
    app.passTime(60_000 - (app.services.now().getTime() % 60_000))
    for (let index = 0; index < 20; index++) expect((await search('ben')).status).toBe(200)
    const refused = await search('ben')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await search('ada', ben)).status).toBe(200)
    app.passTime(60_000)
    expect((await search('ben')).status).toBe(200)
  })
})
