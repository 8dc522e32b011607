import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { domains, type MemberRole } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { countRows, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain, insertMember } from '#tests/insert-domain.ts'
import { insertPeople } from '#tests/insert-people.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildAcceptWrites } from './accept-invitation.ts'
import { type InvitationRow, requireOpenInvitation } from './invitations.ts'

const parseToken = (link: string) => new URL(link).searchParams.get('invitation') ?? ''

/** Helpers for invitations to a domain of Ada's. */
async function createInvitationHelpers(app: TestApp) {
  const { db } = app.services
  const ada = await app.as('ada')
  const home = await db.selectFrom('domains').select('id').where('owner_id', '=', ada.id).executeTakeFirstOrThrow()
  const domainId = home.id
  let number = 0
  const createEmail = () => `guest${++number}@example.com`
  return {
    ada,
    domainId,
    createEmail,
    async invite(role: MemberRole = 'friend', { email = createEmail(), sender = ada } = {}) {
      const options = { params: { id: domainId }, body: { emails: [email], role } }
      const { data } = await sender.call(invitations.create, options)
      return { id: data[0]?.id ?? '', email, token: parseToken(data[0]?.link ?? '') }
    },
    accept: (actor: Actor, token: string) => actor.call(invitations.accept, { body: { token } }),
    toParams: (invitationId: string) => ({ params: { id: domainId, invitationId } }),
    async readRole(person: { id: string }) {
      const row = db.selectFrom('domain_members').select('role').where('domain_id', '=', domainId)
      return (await row.where('person_id', '=', person.id).executeTakeFirst())?.role
    },
    async join(person: Actor, role: MemberRole) {
      await db.deleteFrom('domain_members').where('person_id', '=', person.id).execute()
      await insertMember(app.services, domainId, person, role)
    },
    leave: (person: Actor) => db.deleteFrom('domain_members').where('person_id', '=', person.id).execute(),
    async createStrangers(count: number) {
      const people = Array.from({ length: count }, () => ({ id: app.services.newId(), email: createEmail() }))
      await insertPeople(app, people)
      return Promise.all(
        people.map(async ({ id, email }) => ({
          id,
          token: (await openSession(app.services, { id, email, name: null, nickname: null })).token,
        })),
      )
    },
    acceptAs: (bearer: string, token: string) =>
      app.fetch('/api/invitations/accept', {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      }),
  }
}

describe.each(engines)('accepting an invitation, on %s', (engine) => {
  let app: TestApp
  let helpers: Awaited<ReturnType<typeof createInvitationHelpers>>
  let ben: Actor
  let dot: Actor
  beforeAll(async () => {
    app = await createTestApp(engine)
    helpers = await createInvitationHelpers(app)
    ben = await app.as('ben')
    dot = await app.as('dot')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await app.services.db.deleteFrom('throttle_windows').execute()
    for (const person of [ben, dot]) await helpers.leave(person)
  })

  it("makes a link's holder a member once and notifies everyone there", async () => {
    const invitation = await helpers.invite('connection')
    const events: LiveEvent[] = []
    const unsubscribers = [helpers.ada.id, ben.id].map((id) =>
      app.services.live.subscribe(id, (event) => void events.push(event)),
    )
    const { data, status } = await helpers.accept(ben, invitation.token)
    for (const unsubscribe of unsubscribers) unsubscribe()
    expect({ status, data }).toEqual({ status: 200, data: { domainId: helpers.domainId, role: 'connection' } })
    expect(await helpers.readRole(ben)).toBe('connection')
    expect(events).toEqual(Array(2).fill({ type: 'domains-changed', domainId: helpers.domainId }))
    expect((await helpers.accept(dot, invitation.token)).status).toBe(403)
    expect(await helpers.readRole(dot)).toBeUndefined()
    const { data: list } = await helpers.ada.call(invitations.list, { params: { id: helpers.domainId } })
    expect(list.find(({ id }) => id === invitation.id)).toMatchObject({
      state: 'accepted',
      acceptedBy: { id: ben.id, name: 'Ben Haugen' },
    })
  })

  it('a retry after a lost response succeeds; removed members are refused', async () => {
    const invitation = await helpers.invite('user')
    const answers = await Promise.all([helpers.accept(ben, invitation.token), helpers.accept(ben, invitation.token)])
    answers.push(await helpers.accept(ben, invitation.token))
    for (const { status, data } of answers)
      expect({ status, data }).toEqual({ status: 200, data: { domainId: helpers.domainId, role: 'user' } })
    const events = app.services.db.selectFrom('audit_events').select('id').where('action', '=', 'invitation-accepted')
    expect(await events.where('person_id', '=', ben.id).where('subject', '=', 'user').execute()).toHaveLength(1)
    await helpers.join(dot, 'friend')
    await helpers.leave(ben)
    expect((await helpers.accept(ben, invitation.token)).status).toBe(403)
    expect(await helpers.readRole(ben)).toBeUndefined()
  })

  it('one of fifty concurrent acceptances wins', async () => {
    const invitation = await helpers.invite()
    const people = await helpers.createStrangers(50)
    const answers = await Promise.all(people.map(({ token }) => helpers.acceptAs(token, invitation.token)))
    const winners = people.filter((_, index) => answers[index]?.status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(49)
    const members = await app.services.db.selectFrom('domain_members').select('person_id').execute()
    expect(members.map((member) => member.person_id)).toEqual(winners.map(({ id }) => id))
    const events = app.services.db.selectFrom('audit_events').select('person_id')
    const accepted = await events
      .where('action', '=', 'invitation-accepted')
      .where('person_id', '=', winners[0]?.id ?? '')
    expect(await accepted.execute()).toHaveLength(1)
    await app.services.db.deleteFrom('domain_members').execute()
  })

  it.each(['revoke', 'resend'] as const)('either an acceptance or a concurrent %s succeeds', async (verb) => {
    for (let round = 0; round < 10; round++) {
      const invitation = await helpers.invite()
      const [accepted, change] = await Promise.all([
        helpers.accept(ben, invitation.token),
        helpers.ada.call(invitations[verb], helpers.toParams(invitation.id)),
      ])
      expect([accepted.status, change.status].sort()).toEqual(accepted.status === 200 ? [200, 409] : [200, 403])
      expect(await helpers.readRole(ben)).toBe(accepted.status === 200 ? 'friend' : undefined)
      if (change.status === 200 && 'link' in change.data)
        expect((await helpers.accept(dot, parseToken(change.data.link))).status).toBe(200)
      for (const person of [ben, dot]) await helpers.leave(person)
    }
  })

  it('the owner is refused, and the link stays valid', async () => {
    const invitation = await helpers.invite()
    const answer = await helpers.accept(helpers.ada, invitation.token)
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('You own this domain') } })
    expect(await helpers.readRole(helpers.ada)).toBeUndefined()
    expect((await helpers.accept(ben, invitation.token)).status).toBe(200)
  })

  it("raises a member's role and never lowers it", async () => {
    await helpers.join(ben, 'connection')
    expect((await helpers.accept(ben, (await helpers.invite('user')).token)).data).toEqual({
      domainId: helpers.domainId,
      role: 'user',
    })
    expect(await helpers.readRole(ben)).toBe('user')

    const lower = await helpers.invite('friend')
    const answer = await helpers.accept(ben, lower.token)
    expect(answer).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('already a member, as a user') },
    })
    expect(await helpers.readRole(ben)).toBe('user')
    expect((await helpers.accept(dot, lower.token)).status).toBe(200)
  })

  it('a member keeps their higher role, and their invitation is closed', async () => {
    const invitation = await helpers.invite('friend', { email: 'Ben@willowbrook.example' })
    await helpers.join(ben, 'admin')
    expect((await helpers.accept(ben, invitation.token)).data).toEqual({ domainId: helpers.domainId, role: 'admin' })
    expect(await helpers.readRole(ben)).toBe('admin')
    expect((await helpers.accept(dot, invitation.token)).status).toBe(403)
  })

  it("stops counting once its sender can't manage members, until resent", async () => {
    await helpers.join(ben, 'admin')
    const invitation = await helpers.invite('admin', { sender: ben })
    const readState = async () => {
      const { data } = await helpers.ada.call(invitations.list, { params: { id: helpers.domainId } })
      return data.find(({ id }) => id === invitation.id)?.state
    }
    expect(await readState()).toBe('open')
    await helpers.join(ben, 'user')
    expect(await readState()).toBe('stopped')
    expect((await helpers.accept(dot, invitation.token)).status).toBe(403)
    expect((await app.visitor().call(invitations.look, { body: { token: invitation.token } })).status).toBe(403)
    expect((await helpers.ada.call(invitations.link, helpers.toParams(invitation.id))).status).toBe(409)
    await helpers.leave(ben)
    expect((await helpers.accept(dot, invitation.token)).status).toBe(403)
    expect(await helpers.readRole(dot)).toBeUndefined()

    const again = await helpers.ada.call(invitations.resend, helpers.toParams(invitation.id))
    expect(await readState()).toBe('open')
    expect((await helpers.accept(dot, parseToken(again.data.link))).status).toBe(200)
  })

  it('a right lost or account deactivated while accepting counts, too', async () => {
    await helpers.join(ben, 'admin')
    for (const loseRight of [
      () => helpers.join(ben, 'friend'),
      async () => {
        await helpers.join(ben, 'admin')
        await app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', ben.id).execute()
      },
    ]) {
      await helpers.join(ben, 'admin')
      const invitation = await requireOpenInvitation(
        app.services,
        (await helpers.invite('user', { sender: ben })).token,
      )
      await loseRight()
      await expect(app.services.db.batch(buildAcceptWrites(app.services, dot, invitation))).rejects.toThrow('0 rows')
      expect(await helpers.readRole(dot)).toBeUndefined()
    }
    await app.services.db.updateTable('people').set({ deactivated_at: null }).where('id', '=', ben.id).execute()
  })

  it('is deleted with its domain', async () => {
    const id = await insertDomain(app, helpers.ada)
    const body = { emails: [helpers.createEmail()], role: 'user' as const }
    const { data } = await helpers.ada.call(invitations.create, { params: { id }, body })
    await app.services.db.deleteFrom('domains').where('id', '=', id).execute()
    expect((await helpers.accept(ben, parseToken(data[0]?.link ?? ''))).status).toBe(403)
  })
})

describe.each(engines)('registering with an invitation, on %s', (engine) => {
  const register = (app: TestApp, body: object) => app.visitor().call(accounts.register, { body: body as never })
  const password = 'harbour-lamp-41'

  it.each(['open', 'invite'] as const)(
    'registering while registration is %s creates account, domain and membership',
    async (mode) => {
      const app = await createTestApp(engine)
      const helpers = await createInvitationHelpers(app)
      const invitation = await helpers.invite('user')
      app.services.settings.registration = mode
      const events: LiveEvent[] = []
      app.services.live.subscribe(helpers.ada.id, (event) => void events.push(event))
      const email = 'another@example.com'
      const answer = await register(app, { email, password, invitationToken: invitation.token })
      expect(answer.status).toBe(200)
      expect(await helpers.readRole(answer.data.user)).toBe('user')
      const ownDomains = app.services.db
        .selectFrom('domains')
        .select('is_primary')
        .where('owner_id', '=', answer.data.user.id)
      expect(await ownDomains.execute()).toEqual([{ is_primary: true }])
      expect(events).toEqual([{ type: 'domains-changed', domainId: helpers.domainId }])
      expect(await dumpDatabase(app.services.db)).toContain('invitation-accepted')

      const previous = await dumpDatabase(app.services.db, ['throttle_windows'])
      const second = { email: 'second@example.com', password, invitationToken: invitation.token }
      const again = await register(app, second)
      expect(again).toMatchObject({ status: 403, body: { code: 'invitation-refused' } })
      // A retry after a lost response suggests signing in.
      const retry = await register(app, { email: 'Another@example.com', password, invitationToken: invitation.token })
      expect(retry).toMatchObject({ status: 409, body: { code: 'email-taken' } })
      expect(retry.body.fields).toEqual({ email: expect.stringContaining('Sign in instead') })
      expect(await dumpDatabase(app.services.db, ['throttle_windows'])).toBe(previous)
      await app.close()
    },
  )

  it('is refused with closed registration, and the invitation stays open', async () => {
    const app = await createTestApp(engine)
    const helpers = await createInvitationHelpers(app)
    const invitation = await helpers.invite()
    app.services.settings.registration = 'closed'
    const answer = await register(app, { email: 'new@example.com', password, invitationToken: invitation.token })
    expect(answer).toMatchObject({ status: 403, body: { code: 'registration-closed' } })
    expect(await countRows(app.services.db, 'people')).toBe(1)
    const preview = await app.visitor().call(invitations.look, { body: { token: invitation.token } })
    expect(preview.status).toBe(200)
    await app.close()
  })

  it('a bad token refuses the registration and reveals no account', async () => {
    const app = await createTestApp(engine)
    const helpers = await createInvitationHelpers(app)
    const revoked = await helpers.invite()
    await helpers.ada.call(invitations.revoke, helpers.toParams(revoked.id))
    for (const mode of ['open', 'invite'] as const) {
      app.services.settings.registration = mode
      for (const invitationToken of ['kpi_wrong', revoked.token, "' or 1=1 --"])
        for (const email of ['new@example.com', 'ada@willowbrook.example']) {
          const previous = await dumpDatabase(app.services.db, ['throttle_windows'])
          const answer = await register(app, { email, password, invitationToken })
          expect(answer).toMatchObject({ status: 403, body: { code: 'invitation-refused' } })
          expect(await dumpDatabase(app.services.db, ['throttle_windows'])).toBe(previous)
        }
    }
    const none = await register(app, { email: 'new@example.com', password })
    expect(none).toMatchObject({ status: 403, body: { code: 'registration-closed' } })
    await app.close()
  })

  it('an invitation survives a failed registration and makes one account', async () => {
    const app = await createTestApp(engine)
    const helpers = await createInvitationHelpers(app)
    const invitation = await helpers.invite()
    const taken = await register(app, { email: 'ada@willowbrook.example', password, invitationToken: invitation.token })
    expect(taken).toMatchObject({ status: 409, body: { code: 'email-taken' } })
    const race = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        register(app, { email: `${name}@example.com`, password, invitationToken: invitation.token }),
      ),
    )
    expect(race.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect(await countRows(app.services.db, 'people')).toBe(2)
    expect(await countRows(app.services.db, 'domain_members')).toBe(1)
    await app.close()
  })
})

describe.each(engines)('changes while accepting an invitation, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'])
  let domainId: string
  let row: InvitationRow
  let number = 0
  beforeEach(async () => {
    await app.services.db.updateTable('people').set({ deactivated_at: null }).execute()
    domainId = await insertDomain(app, ada, [
      [ben, 'connection'],
      [cleo, 'admin'],
    ])
    const body = { emails: [`guest${++number}@example.com`], role: 'user' as const }
    const { data } = await cleo.call(invitations.create, { params: { id: domainId }, body })
    const token = new URL(data[0]?.link ?? '').searchParams.get('invitation') ?? ''
    row = await requireOpenInvitation(app.services, token)
  })
  const accept = () => app.services.db.batch(buildAcceptWrites(app.services, ben, row))
  const readRoleOfBen = async () => {
    const members = app.services.db.selectFrom('domain_members').select('role').where('domain_id', '=', domainId)
    return (await members.where('person_id', '=', ben.id).executeTakeFirst())?.role
  }
  const toParams = () => ({ params: { id: domainId, invitationId: row.id } })
  const toMembershipParams = () => ({ params: { id: domainId, userId: cleo.id } })

  it('without a change, it is accepted', async () => {
    await accept()
    expect(await readRoleOfBen()).toBe('user')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['it is accepted already', accept],
    ['it is sent again', () => cleo.call(invitations.resend, toParams())],
    ['another admin sends it again', () => ada.call(invitations.resend, toParams())],
    ['it is revoked', () => cleo.call(invitations.revoke, toParams())],
    ['it expires', async () => app.passTime(15 * 24 * 60 * 60 * 1000)],
    ['its sender is removed', () => ada.call(domains.removeMember, toMembershipParams())],
    [
      'its sender loses the right to invite',
      () => ada.call(domains.changeMember, { ...toMembershipParams(), body: { role: 'user' } }),
    ],
    [
      'its sender is deactivated',
      () => app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', cleo.id).execute(),
    ],
    [
      'the domain becomes theirs',
      () => ada.call(domains.transfer, { params: { id: domainId }, body: { userId: ben.id } }),
    ],
    ['the domain is deleted', () => ada.call(domains.remove, { params: { id: domainId } })],
  ])('%s: it no longer counts', async (_, action) => {
    await action()
    const previous = await readRoleOfBen()
    await expect(accept()).rejects.toThrow(UnexpectedChanges)
    expect(await readRoleOfBen()).toBe(previous)
  })
})
