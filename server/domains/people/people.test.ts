import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MemberRole } from '#contract/domains/domains.ts'
import { type DomainPerson, people } from '#contract/domains/people.ts'
import { auditing } from '#server/audit/write-audit.ts'
import type { Schema } from '#server/db/schema.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'

describe.each(engines)('the people of domains, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let cleo: Actor
  let dot: Actor
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    cleo = await app.as('cleo')
    dot = await app.as('dot')
  })
  afterAll(() => app.close())

  /** A domain of Ada's with these members. */
  async function domainWith(members: readonly (readonly [Actor, MemberRole])[], name = 'Willowbrook'): Promise<string> {
    const { db } = app.services
    const id = app.services.newId()
    await db
      .insertInto('domains')
      .values({
        id,
        owner_id: ada.id,
        name,
        slug: `willowbrook-${id}`,
        description: null,
        custom_domain: null,
        custom_domain_verified: false,
        is_primary: false,
        created_at: Date.parse('2026-01-02'),
        updated_at: 1,
      })
      .execute()
    for (const [{ id: person_id }, role] of members)
      await db
        .insertInto('domain_members')
        .values({ domain_id: id, person_id, role, added_at: Date.parse('2026-02-03') })
        .execute()
    return id
  }

  async function invite(domainId: string, email: string, more: Partial<Schema['invitations']> = {}): Promise<string> {
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
        ...more,
      } as never)
      .execute()
    return id
  }

  async function journeyOf(actor: Actor, title: string): Promise<string> {
    const { id: keeperId } = await keeperOf(actor)
    const id = app.services.newId()
    await app.services.db
      .insertInto('journeys')
      .values({
        id,
        keeper_id: keeperId,
        owner_id: actor.id,
        title,
        purpose: '',
        status: 'active',
        started_on: null,
        ends_on: null,
        completed_at: null,
        color: 'verdigris',
        ai_visible: true,
        source_kind: null,
        source_id: null,
        created_at: 1,
        updated_at: 1,
        deleted_at: null,
      })
      .execute()
    return id
  }

  const forAll = { for_admin: true, for_user: true, for_friend: true, for_connection: true }
  const share = (domainId: string, journeyId: string, owner: Actor, roles: Partial<typeof forAll> = {}) =>
    app.services.db
      .insertInto('domain_journeys')
      .values({ domain_id: domainId, journey_id: journeyId, owner_id: owner.id, shared_at: 1, ...forAll, ...roles })
      .execute()

  const list = async (actor: Actor, query: Record<string, string> = {}) =>
    (await actor.call(people.list, { query })).data
  const one = (all: DomainPerson[], actor: Actor) => all.find(({ userId }) => userId === actor.id)
  const change = (actor: Actor, domainId: string, whom: Actor, body: object) =>
    actor.call(people.update, { params: { id: `${domainId}.${whom.id}` }, body })

  it('the owner sees owner, members and who is invited, with since when and the day they were last here', async () => {
    const domainId = await domainWith([[ben, 'admin']])
    const invitationId = await invite(domainId, 'Ida@example.com')
    await invite(domainId, 'gone@example.com', { revoked_at: 1 })
    await invite(domainId, 'late@example.com', { expires_at: 1 })
    await invite(domainId, 'came@example.com', { accepted_at: 1, accepted_by: ben.id })

    const { people: all, summary } = await list(ada, { domainId })

    const today = app.services.now().toISOString().slice(0, 10)
    expect(all.map(({ name, email, relation, status }) => [name ?? email, relation, status])).toEqual([
      ['Ada Lindqvist', 'owner', 'active'],
      ['Ben Haugen', 'admin', 'active'],
      ['Ida@example.com', 'friend', 'pending'],
    ])
    expect(one(all, ben)).toEqual({
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
    expect(one(all, ada)).toMatchObject({ mayChange: false, since: '2026-01-02T00:00:00.000Z' })
    expect(all.at(-1)).toMatchObject({
      id: invitationId,
      invitationId,
      userId: null,
      lastActiveAt: null,
      mayChange: false,
    })
    expect(summary).toEqual({ total: 3, active: 2, pending: 1, domains: 1, journeys: 0 })
  })

  it('the filter leaves the summary as it is', async () => {
    const domainId = await domainWith([[ben, 'user']])
    await invite(domainId, 'ida@example.com')
    const summary = { total: 3, active: 2, pending: 1, domains: 1, journeys: 0 }
    expect(await list(ada, { domainId, status: 'pending' })).toMatchObject({
      people: [{ email: 'ida@example.com' }],
      summary,
    })
    const active = await list(ada, { domainId, status: 'active' })
    expect(active.people.map(({ status }) => status)).toEqual(['active', 'active'])
    expect(active.summary).toEqual(summary)
  })

  it('without a domain it is everybody of one’s domains, and who is in two of them counts once', async () => {
    const choir = await domainWith(
      [
        [ben, 'admin'],
        [dot, 'user'],
      ],
      'Choir',
    )
    await invite(choir, 'ida@example.com')
    await domainWith([[dot, 'friend']], 'Quay')
    const { people: all, summary } = await list(dot)
    expect(
      all
        .filter(({ userId }) => userId === dot.id)
        .map(({ domainName }) => domainName)
        .sort(),
    ).toEqual(['Choir', 'Dot Moe', 'Quay'])
    expect(all.filter(({ mayChange }) => mayChange).map(({ userId }) => userId)).toEqual([])
    expect(summary).toMatchObject({ total: 3, active: 3, pending: 0, domains: 3 })
    const owned = await app.services.db.selectFrom('domains').select('id').where('owner_id', '=', ada.id).execute()
    expect((await list(ada)).summary.domains, 'each once, however many are in it').toBe(owned.length)
  })

  it('a plain member sees the people, and neither notes nor who is invited; a stranger nothing', async () => {
    const domainId = await domainWith([
      [ben, 'friend'],
      [dot, 'user'],
    ])
    await invite(domainId, 'ida@example.com')
    await change(ada, domainId, dot, { note: 'Sings alto.' })

    const { data, text } = await ben.call(people.list, { query: { domainId } })
    expect(data.people.map(({ mayChange }) => mayChange)).toEqual([false, false, false])
    expect(text).not.toContain('Sings alto')
    expect(text).not.toContain('ida@example.com')
    expect(data.summary).toMatchObject({ total: 3, pending: 0 })

    const mine = await dot.call(people.list, { query: { domainId } })
    expect(mine.text, 'nobody reads the note about themselves').not.toContain('Sings alto')
    const refused = await cleo.call(people.list, { query: { domainId } })
    expect(refused.status).toBe(404)
    const { status, body } = await cleo.call(people.list, { query: { domainId: 'nowhere' } })
    expect([status, { ...body, requestId: '' }]).toEqual([404, { ...refused.body, requestId: '' }])
  })

  it('journeys are those shared there that the caller’s role may read; one’s own count, and those one was put on', async () => {
    const domainId = await domainWith([
      [ben, 'friend'],
      [dot, 'user'],
    ])
    const open = await journeyOf(dot, 'To the lighthouse')
    const closed = await journeyOf(dot, 'Not for friends')
    const own = await journeyOf(ada, 'Kept at home')
    await share(domainId, open, dot)
    await share(domainId, closed, dot, { for_friend: false })
    expect((await change(ada, domainId, ben, { journeyIds: [open, closed] })).status).toBe(200)

    const forAda = await list(ada, { domainId })
    expect(forAda.journeys.map(({ title }) => title)).toEqual(['Not for friends', 'To the lighthouse'])
    expect(forAda.summary.journeys).toBe(2)
    expect(one(forAda.people, dot)?.journeyIds.toSorted()).toEqual([open, closed].toSorted())
    expect(one(forAda.people, ben)?.journeyIds.toSorted()).toEqual([open, closed].toSorted())

    const forBen = await ben.call(people.list, { query: { domainId } })
    expect(forBen.data.journeys).toEqual([{ id: open, domainId, title: 'To the lighthouse', ownerId: dot.id }])
    expect(one(forBen.data.people, dot)?.journeyIds).toEqual([open])
    expect(forBen.text).not.toContain(closed)
    expect(forBen.text).not.toContain(own)

    const refused = await change(ada, domainId, ben, { journeyIds: [own] })
    expect([refused.status, refused.body.fields]).toEqual([
      400,
      { journeyIds: 'Choose journeys that are shared in this domain.' },
    ])
  })

  it('who is put on a journey, and taken off one, stands in the trail once, for who manages the members', async () => {
    const domainId = await domainWith([
      [ben, 'user'],
      [dot, 'user'],
    ])
    const [first, second] = [await journeyOf(dot, 'First'), await journeyOf(dot, 'Second')]
    await share(domainId, first, dot)
    await share(domainId, second, dot)
    for (const journeyIds of [[first], [first], [second]]) await change(ada, domainId, ben, { journeyIds })
    const rows = await app.services.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'person_id', 'details'])
      .where('domain_id', '=', domainId)
      .where('action', 'in', ['person-put-on-journey', 'person-taken-off-journey'])
      .execute()
    const deed = (action: string, journeyId: string) => ({
      action,
      actor_id: ada.id,
      person_id: ben.id,
      details: { journeyId },
    })
    const byId = (one: { action: string; details: object }) => `${one.action} ${JSON.stringify(one.details)}`
    expect(rows.toSorted((a, b) => byId(a).localeCompare(byId(b)))).toEqual(
      [
        deed('person-put-on-journey', first),
        deed('person-put-on-journey', second),
        deed('person-taken-off-journey', first),
      ].toSorted((a, b) => byId(a).localeCompare(byId(b))),
    )
    const seen = async (who: Actor) => (await who.call(people.activity, { params: { id: domainId } })).text
    expect(await seen(ada)).toContain('person-put-on-journey')
    expect(await seen(dot)).not.toMatch(/person-(put|taken)/)
  })

  it('a keeper given with its journeys gives them; deleted ones and those of who left are not there', async () => {
    const domainId = await domainWith([
      [ben, 'user'],
      [dot, 'user'],
    ])
    const kept = await journeyOf(dot, 'Kept')
    const binned = await journeyOf(dot, 'Binned')
    const { db } = app.services
    for (const id of [kept, binned]) {
      const { keeper_id } = await db
        .selectFrom('journeys')
        .select('keeper_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('domain_keepers')
        .values({
          domain_id: domainId,
          keeper_id,
          owner_id: dot.id,
          with_moments: false,
          with_journeys: true,
          with_logbook: false,
          with_sole: false,
          shared_at: 1,
          ...forAll,
        })
        .execute()
    }
    await share(domainId, kept, dot)
    await db.updateTable('journeys').set({ deleted_at: 5 }).where('id', '=', binned).execute()
    expect((await list(ben, { domainId })).journeys.map(({ title }) => title)).toEqual(['Kept'])
    await db.deleteFrom('domain_members').where('domain_id', '=', domainId).where('person_id', '=', dot.id).execute()
    expect((await list(ben, { domainId })).journeys).toEqual([])
  })

  it('a role changes by the rule of the members: owner and admins may, nobody their own, and the owner’s stays', async () => {
    const domainId = await domainWith([
      [ben, 'admin'],
      [dot, 'user'],
    ])
    const changed = await change(ben, domainId, dot, { relation: 'connection' })
    expect(changed.data).toMatchObject({ id: `${domainId}.${dot.id}`, relation: 'connection', mayChange: true })
    expect((await change(ben, domainId, ben, { relation: 'user' })).status).toBe(403)
    expect((await change(ben, domainId, ada, { relation: 'user' })).status).toBe(409)
    expect((await change(dot, domainId, ben, { relation: 'user' })).status).toBe(403)
    expect((await change(cleo, domainId, ben, { relation: 'user' })).status).toBe(404)
    expect((await change(ada, domainId, cleo, { relation: 'user' })).status).toBe(404)
    expect((await change(ada, domainId, dot, { relation: 'owner' })).status).toBe(400)
    const { people: all } = await list(ada, { domainId })
    expect(all.map(({ relation }) => relation)).toEqual(['owner', 'admin', 'connection'])
  })

  it('what is refused changes nothing, also beside what would be allowed', async () => {
    const domainId = await domainWith([[ben, 'user']])
    const { status } = await change(ada, domainId, ben, { relation: 'admin', note: 'Tenor.', journeyIds: ['nowhere'] })
    expect(status).toBe(400)
    expect(one((await list(ada, { domainId })).people, ben)).toMatchObject({ relation: 'user', note: '' })
  })

  it('somebody who is invited cannot be changed, and only who manages the members is told so', async () => {
    const domainId = await domainWith([[ben, 'user']])
    const id = await invite(domainId, 'ida@example.com')
    const ask = async (actor: Actor) =>
      (await actor.call(people.update, { params: { id }, body: { relation: 'user' } })).status
    expect(await Promise.all([ada, ben, cleo].map(ask))).toEqual([409, 403, 404])
  })

  it('a note that somebody else wrote meanwhile is not written over: both are shown', async () => {
    const domainId = await domainWith([
      [ben, 'admin'],
      [dot, 'user'],
    ])
    await change(ben, domainId, dot, { note: 'Sings alto.', noteBefore: '' })
    const late = await change(ada, domainId, dot, { note: 'Sings tenor.', noteBefore: '' })
    expect(late.status).toBe(409)
    expect(late.data).toEqual({ yours: { note: 'Sings tenor.' }, current: { note: 'Sings alto.' } })
    const both = await change(ada, domainId, dot, { note: 'Sings both.', noteBefore: 'Sings alto.' })
    expect(both.data).toMatchObject({ note: 'Sings both.' })
    const atOnce = await Promise.all(
      ['One.', 'Two.'].map((note) => change(ada, domainId, dot, { note, noteBefore: 'Sings both.' })),
    )
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('tells every tab of everybody there', async () => {
    const domainId = await domainWith([
      [ben, 'user'],
      [dot, 'user'],
    ])
    const told: string[] = []
    const stops = [ada, ben, dot, cleo].map(({ id }) => app.services.live.subscribe(id, () => told.push(id)))
    await change(ada, domainId, ben, { note: 'Tenor.' })
    for (const stop of stops) stop()
    expect(told.toSorted()).toEqual([ada.id, ben.id, dot.id].toSorted())
  })

  it('what happened stands in the activity, newest first and page by page, without notes or e-mails', async () => {
    const domainId = await domainWith([
      [ben, 'user'],
      [dot, 'user'],
    ])
    const activity = (actor: Actor, query: Record<string, string | number> = {}) =>
      actor.call(people.activity, { params: { id: domainId }, query })
    await change(ada, domainId, ben, { relation: 'friend' })
    await change(ada, domainId, ben, { note: 'Sings tenor.' })
    await app.services.db.batch([
      auditing(app.services, { action: 'invitation-sent', actor: ada, domainId, subject: 'user' }),
    ])

    const first = await activity(ada, { limit: 2 })
    expect(first.data.items.map(({ action }) => action)).toHaveLength(2)
    const rest = await activity(ada, { limit: 2, cursor: first.data.next_cursor ?? '' })
    const all = [...first.data.items, ...rest.data.items]
    expect(rest.data.next_cursor).toBe(null)
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
    expect(first.text + rest.text).not.toContain('Sings tenor')

    const plain = await activity(dot)
    expect(plain.data.items.map(({ action }) => action).toSorted(), 'a note is nothing to a plain member').toEqual([
      'invitation-sent',
      'member-role-changed',
    ])
    expect(plain.text).not.toMatch(/@/)
    expect((await activity(cleo)).status).toBe(404)
    expect((await activity(ada, { cursor: 'nonsense' })).status).toBe(400)
  })

  it('a thousand people are there at once, by as many reads as one', async () => {
    const domainId = await domainWith([])
    const { db } = app.services
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      id: app.services.newId(),
      email: `p${at}-${domainId}@example.com`,
      email_folded: `p${at}-${domainId}@example.com`,
      name: `Person ${at}`,
      nickname: null,
      password_hash: 'x',
      preferred_theme_id: null,
      created_at: 1,
      last_sign_in_at: 1,
      deactivated_at: null,
    }))
    for (let from = 0; from < rows.length; from += 100) {
      const some = rows.slice(from, from + 100)
      await db.batch([
        db.insertInto('people').values(some),
        db
          .insertInto('domain_members')
          .values(some.map(({ id }) => ({ domain_id: domainId, person_id: id, role: 'user' as const, added_at: 1 }))),
      ])
    }
    await list(ada, { domainId })
    const began = performance.now()
    const { people: all, summary } = await list(ada, { domainId })
    const took = performance.now() - began
    expect([all.length, summary.total]).toEqual([1001, 1001])
    expect(took, 'milliseconds').toBeLessThan(1000)
  })
})
