import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { type DomainRole, domainRoles } from '#contract/domains/domain-actions.ts'
import { domains, type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { insertBoardShare } from '#tests/insert-board-share.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { countInvitations } from '../invitations/invitations.ts'

describe.each(engines)('members of a domain, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])
  let domainCount = 0

  const createDomain = async () =>
    (await ada.call(domains.create, { body: { name: `Quay Choir ${++domainCount}` } })).data.id
  const addMember = (actor: Actor, id: string, userId: string, role: MemberRole = 'user') =>
    actor.call(domains.addMember, { params: { id }, body: { userId, role } })
  const changeRole = (actor: Actor, id: string, userId: string, role: MemberRole) =>
    actor.call(domains.changeMember, { params: { id, userId }, body: { role } })
  const removeMember = (actor: Actor, id: string, userId: string) =>
    actor.call(domains.removeMember, { params: { id, userId } })
  const acceptMembership = (actor: Actor, id: string) => actor.call(domains.agree, { params: { id } })
  const transfer = (actor: Actor, id: string, userId: string) =>
    actor.call(domains.transfer, { params: { id }, body: { userId } })
  const listRoles = async (id: string, actor = ada) =>
    Object.fromEntries(
      (await actor.call(domains.members, { params: { id } })).data.map(({ name, role }) => [name, role]),
    )
  const listAuditEntries = async (id: string) =>
    (
      await app.services.db
        .selectFrom('audit_events')
        .select(['action', 'actor_id', 'person_id', 'subject', 'details'])
        .where('domain_id', '=', id)
        .where('action', '!=', 'domain-created')
        .orderBy('at')
        .orderBy('id')
        .execute()
    ).map(({ action, actor_id, person_id, subject, details }) => ({ action, actor_id, person_id, subject, details }))

  it('are listed owner first; adding, changing and removing is audited', async () => {
    const id = await createDomain()
    const added = await addMember(ada, id, dot.id, 'friend')
    expect(added.data).toEqual({
      userId: dot.id,
      name: 'Dot Moe',
      email: null,
      role: 'friend',
      addedAt: expect.any(String),
      agreed: false,
      addedBy: { id: ada.id, name: 'Ada Lindqvist' },
    })
    await addMember(ada, id, ben.id, 'user')
    const list = (await ben.call(domains.members, { params: { id } })).data
    expect(list.map(({ name, role }) => [name, role])).toEqual([
      ['Ada Lindqvist', 'owner'],
      ['Ben Haugen', 'user'],
      ['Dot Moe', 'friend'],
    ])
    const listAfter = (userId: string) => ben.call(domains.members, { params: { id }, query: { after: userId } })
    expect((await listAfter(ben.id)).data.map(({ name }) => name)).toEqual(['Dot Moe'])
    expectInvalid(await listAfter(cleo.id), 'after')
    expect((await changeRole(ada, id, ben.id, 'admin')).data.role).toBe('admin')
    expect((await changeRole(ada, id, ben.id, 'admin')).status, 'an unchanged role isn’t audited').toBe(200)
    expect((await removeMember(ben, id, dot.id)).status).toBe(200)
    expect((await dot.call(domains.members, { params: { id } })).status).toBe(404)
    const dotsEntry = { person_id: dot.id, subject: 'friend', details: {} }
    expect(await listAuditEntries(id)).toEqual([
      { ...dotsEntry, action: 'member-added', actor_id: ada.id },
      { action: 'member-added', actor_id: ada.id, person_id: ben.id, subject: 'user', details: {} },
      {
        action: 'member-role-changed',
        actor_id: ada.id,
        person_id: ben.id,
        subject: 'admin',
        details: { from: 'user', to: 'admin' },
      },
      { ...dotsEntry, action: 'member-removed', actor_id: ben.id },
    ])
  })

  it('each of 5 roles can do exactly its actions to members of each role', async () => {
    const readStatuses = async (actorRole: DomainRole, targetRole: DomainRole) => {
      const createDomainWithRoles = async () => {
        const id = await createDomain()
        const actor = actorRole === 'owner' ? ada : ben
        if (actorRole !== 'owner') await addMember(ada, id, ben.id, actorRole)
        const target = targetRole === 'owner' ? ada : cleo
        if (targetRole !== 'owner') await addMember(ada, id, cleo.id, targetRole)
        return { id, actor, target }
      }
      const targetDomain = await createDomainWithRoles()
      const added = await createDomainWithRoles()
      const changed = await createDomainWithRoles()
      const removed = await createDomainWithRoles()
      const newRole = targetRole === 'friend' ? 'connection' : 'friend'
      return [
        (await targetDomain.actor.call(domains.members, { params: { id: targetDomain.id } })).status,
        (await addMember(added.actor, added.id, dot.id, targetRole === 'owner' ? 'admin' : targetRole)).status,
        (await changeRole(changed.actor, changed.id, changed.target.id, newRole)).status,
        (await removeMember(removed.actor, removed.id, removed.target.id)).status,
      ]
    }
    let checkCount = 0
    for (const actorRole of domainRoles) {
      const manages = actorRole === 'owner' || actorRole === 'admin'
      for (const targetRole of domainRoles) {
        const expectedChange = targetRole === 'owner' ? 409 : 200
        const expected = manages ? [200, 200, expectedChange, expectedChange] : [200, 403, 403, 403]
        const actual = await readStatuses(actorRole, targetRole)
        expect({ actorRole, targetRole, statuses: actual }).toEqual({ actorRole, targetRole, statuses: expected })
        checkCount += actual.length
      }
    }
    expect(checkCount).toBe(100)
  })

  it('no one becomes owner, changes their own role or reaches another domain', async () => {
    const id = await createDomain()
    await addMember(ada, id, ben.id, 'admin')
    expect((await changeRole(ben, id, ben.id, 'user')).status).toBe(403)
    expect((await addMember(ben, id, cleo.id, 'owner' as 'admin')).status).toBe(400)
    expect((await changeRole(ben, id, cleo.id, 'admin')).status, 'not a member').toBe(404)
    expect((await changeRole(ben, id, ada.id, 'user')).status, 'the owner').toBe(409)
    const otherDomainId = await createDomain()
    await addMember(ada, otherDomainId, dot.id, 'user')
    for (const { status, text } of [await changeRole(ben, id, dot.id, 'admin'), await removeMember(ben, id, dot.id)]) {
      expect(status).toBe(404)
      expect(text).toContain('Member not found')
    }
    expect((await changeRole(ben, otherDomainId, dot.id, 'admin')).status).toBe(404)
    expect(await listRoles(otherDomainId)).toEqual({ 'Ada Lindqvist': 'owner', 'Dot Moe': 'user' })
    expect(await listRoles(id)).toEqual({ 'Ada Lindqvist': 'owner', 'Ben Haugen': 'admin' })
  })

  it("members, unknown and deactivated people can't be added", async () => {
    const id = await createDomain()
    await addMember(ada, id, ben.id)
    for (const userId of [ben.id, ada.id]) {
      const { status, body } = await addMember(ada, id, userId)
      expect(status).toBe(409)
      expect(body.error).toBe('This person is already in the domain.')
    }
    const setDeactivated = (actor: string, at: number | null) =>
      app.services.db.updateTable('people').set({ deactivated_at: at }).where('id', '=', actor).execute()
    await setDeactivated(dot.id, 1)
    const [deactivated, unknown] = [await addMember(ada, id, dot.id), await addMember(ada, id, app.services.newId())]
    await setDeactivated(dot.id, null)
    expect({ deactivated: deactivated.status, unknown: unknown.status }).toEqual({
      deactivated: 404,
      unknown: 404,
    })
    expect(deactivated.body.error).toBe(unknown.body.error)
    expect(await listRoles(id)).toEqual({ 'Ada Lindqvist': 'owner', 'Ben Haugen': 'user' })
  })

  it("adding a person closes their invitations and leaves others' open", async () => {
    const id = await createDomain()
    const invite = { params: { id }, body: { emails: ['Ben@willowbrook.example', 'dot@willowbrook.example'] } }
    const { data } = await ada.call(invitations.create, { ...invite, body: { ...invite.body, role: 'admin' as const } })
    const getToken = (email: string) =>
      new URL(data.find((invitation) => invitation.email.toLowerCase() === email)?.link ?? '').searchParams.get(
        'invitation',
      ) ?? ''
    expect((await addMember(ada, id, ben.id, 'friend')).status).toBe(200)
    const { data: list } = await ada.call(invitations.list, { params: { id } })
    expect(list.map(({ email, state, acceptedBy }) => [email.toLowerCase(), state, acceptedBy?.id]).sort()).toEqual([
      ['ben@willowbrook.example', 'accepted', ben.id],
      ['dot@willowbrook.example', 'open', undefined],
    ])
    const again = await ben.call(invitations.accept, { body: { token: getToken('ben@willowbrook.example') } })
    expect({ status: again.status, role: (await listRoles(id))['Ben Haugen'] }).toEqual({
      status: 403,
      role: 'friend',
    })
    expect((await dot.call(invitations.accept, { body: { token: getToken('dot@willowbrook.example') } })).status).toBe(
      200,
    )
  })

  it('everyone but the owner can leave; the owner’s error explains what to do', async () => {
    for (const role of memberRoles) {
      const id = await createDomain()
      await addMember(ada, id, ben.id, role)
      expect((await removeMember(ben, id, ben.id)).status).toBe(200)
      expect((await listAuditEntries(id)).at(-1)).toMatchObject({
        action: 'member-left',
        actor_id: ben.id,
        person_id: ben.id,
      })
      const refused = await removeMember(ada, id, ada.id)
      expect(refused.status).toBe(409)
      expect(refused.body.error).toContain('Transfer the domain to a member first, or delete it.')
    }
  })

  it("leaving removes one's own shares in this domain only", async () => {
    const [id, otherDomainId] = [await createDomain(), await createDomain()]
    const share = async (actor: Actor, domainId: string) => {
      const keeperBody = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
      const keeper = (await actor.call(keepers.create, { body: keeperBody })).data
      const journey = (await actor.call(journeys.create, { params: { id: keeper.id }, body: { title: 'North' } })).data
      const shared = { domain_id: domainId, owner_id: actor.id, shared_at: 1 }
      const roles = { for_admin: true, for_user: true, for_friend: true, for_connection: true }
      const parts = { with_moments: true, with_journeys: true, with_logbook: true, with_sole: true }
      await app.services.db.batch([
        app.services.db.insertInto('domain_keepers').values({ ...shared, ...roles, ...parts, keeper_id: keeper.id }),
        app.services.db.insertInto('domain_journeys').values({ ...shared, ...roles, journey_id: journey.id }),
      ])
      await insertBoardShare(app, (await actor.call(boards.create, { body: { name: 'Quay' } })).data.id, domainId, {
        user: 'view',
      })
    }
    const listShareOwners = async (domainId: string) => {
      const { db } = app.services
      const rows = [
        ...(await db.selectFrom('domain_keepers').select('owner_id').where('domain_id', '=', domainId).execute()),
        ...(await db.selectFrom('domain_journeys').select('owner_id').where('domain_id', '=', domainId).execute()),
        ...(await db.selectFrom('domain_boards').select('owner_id').where('domain_id', '=', domainId).execute()),
      ]
      return rows.map(({ owner_id }) => owner_id)
    }
    for (const domainId of [id, otherDomainId]) {
      await addMember(ada, domainId, ben.id)
      await share(ben, domainId)
      await share(ada, domainId)
    }
    await removeMember(ada, id, ben.id)
    expect(await listShareOwners(id)).toEqual([ada.id, ada.id, ada.id])
    expect(await listShareOwners(otherDomainId)).toHaveLength(6)
    await removeMember(ben, otherDomainId, ben.id)
    expect(await listShareOwners(otherDomainId)).toEqual([ada.id, ada.id, ada.id])
  })

  it('a transfer keeps the old owner as admin and removes their agent', async () => {
    const id = await createDomain()
    await addMember(ada, id, ben.id, 'friend')
    await acceptMembership(ben, id)
    const lead = {
      name: `Lead ${domainCount}`,
      purpose: 'p',
      agent_class: 'Lead',
      memory_enabled: true,
      visibility: 'public',
    }
    const leadAgentId = (await ada.call(agents.create, { body: lead as never })).data.id
    await ada.call(domains.update, { params: { id }, body: { leadAgentId } })
    expect((await transfer(ben, id, ben.id)).status).toBe(403)
    expect((await transfer(ada, id, cleo.id)).status, 'not a member').toBe(404)
    expect((await transfer(ada, id, ada.id)).status).toBe(409)
    const transferred = (await transfer(ada, id, ben.id)).data
    expect(transferred).toMatchObject({ ownerId: ben.id, permissions: [{ role: 'admin' }], leadAgentId: null })
    expect(await listRoles(id)).toEqual({ 'Ben Haugen': 'owner', 'Ada Lindqvist': 'admin' })
    expect((await ada.call(domains.remove, { params: { id } })).status).toBe(403)
    expect((await listAuditEntries(id)).at(-1)).toMatchObject({
      action: 'domain-transferred',
      actor_id: ada.id,
      person_id: ben.id,
      details: { from: 'friend', to: 'owner' },
    })
    expect((await ben.call(domains.remove, { params: { id } })).status).toBe(200)
  })

  it('changes notify everyone concerned, including removed members', async () => {
    const id = await createDomain()
    await addMember(ada, id, ben.id, 'admin')
    await acceptMembership(ben, id)
    await addMember(ada, id, cleo.id)
    const recordNotified = async (action: () => Promise<unknown>) => {
      const names: string[] = []
      const people = Object.entries({ ada, ben, cleo, dot })
      const unsubscribers = people.map(([name, { id: personId }]) =>
        app.services.live.subscribe(personId, (event: LiveEvent) => {
          if (event.type === 'domains-changed' && event.domainId === id) names.push(name)
        }),
      )
      await action()
      for (const unsubscribe of unsubscribers) unsubscribe()
      return names.sort()
    }
    expect(await recordNotified(() => changeRole(ben, id, cleo.id, 'friend'))).toEqual(['ada', 'ben', 'cleo'])
    expect(await recordNotified(() => removeMember(ben, id, cleo.id))).toEqual(['ada', 'ben', 'cleo'])
    expect(await recordNotified(() => addMember(ben, id, dot.id))).toEqual(['ada', 'ben', 'dot'])
    expect(await recordNotified(() => transfer(ada, id, ben.id))).toEqual(['ada', 'ben', 'dot'])
  })

  it('adding is limited to 200 people a day, including invitations', async () => {
    const actor = await app.as('dot')
    const id = (await actor.call(domains.create, { body: { name: 'Crowd' } })).data.id
    await countInvitations(app.services, actor, 199)
    expect((await addMember(actor, id, ben.id)).status).toBe(200)
    const previous = await app.services.db
      .selectFrom('domain_members')
      .selectAll()
      .where('domain_id', '=', id)
      .execute()
    const refused = await addMember(actor, id, cleo.id)
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'You can invite or add 200 people a day, and you have 0 left today.' },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const remaining = app.services.db.selectFrom('domain_members').selectAll().where('domain_id', '=', id)
    expect(await remaining.execute()).toEqual(previous)
    app.passTime(24 * 60 * 60 * 1000)
    expect((await addMember(actor, id, cleo.id)).status).toBe(200)
  })

  it('8 concurrent additions create one member and one audit entry', async () => {
    const id = await createDomain()
    await addMember(ada, id, ben.id, 'admin')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        addMember(index % 2 ? ada : ben, id, cleo.id, memberRoles[index % 4] ?? 'user'),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect((await listAuditEntries(id)).filter(({ person_id }) => person_id === cleo.id)).toHaveLength(1)
  })

  it('a transfer racing with a removal leaves one owner, never also a member', async () => {
    const concurrentCalls = [
      (id: string) => removeMember(ben, id, cleo.id),
      (id: string) => removeMember(cleo, id, cleo.id),
      (id: string) => addMember(ben, id, cleo.id),
      (id: string) => transfer(ada, id, ben.id),
    ]
    for (let round = 0; round < 12; round++) {
      const id = await createDomain()
      await addMember(ada, id, ben.id, 'admin')
      await addMember(ada, id, cleo.id, 'user')
      await acceptMembership(ben, id)
      await acceptMembership(cleo, id)
      const [transferred, other] = await Promise.all([transfer(ada, id, cleo.id), concurrentCalls[round % 4]?.(id)])
      expect([200, 403, 404, 409]).toContain(transferred.status)
      expect([200, 403, 404, 409]).toContain(other?.status)
      const { owner_id } = await app.services.db
        .selectFrom('domains')
        .select('owner_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const members = await app.services.db
        .selectFrom('domain_members')
        .select('person_id')
        .where('domain_id', '=', id)
        .execute()
      const ids = members.map(({ person_id }) => person_id)
      expect(ids).not.toContain(owner_id)
      expect(owner_id === ada.id || ids.includes(ada.id), 'the former owner stays as admin').toBe(true)
      if (owner_id === ada.id) expect(transferred.status).not.toBe(200)
    }
  })

  it("a concurrently demoted admin can't use the old role", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await createDomain()
      await addMember(ada, id, ben.id, 'admin')
      const [demoted, added] = await Promise.all([
        changeRole(ada, id, ben.id, 'connection'),
        addMember(ben, id, cleo.id, 'admin'),
      ])
      expect(demoted.status).toBe(200)
      expect([200, 403]).toContain(added.status)
      const actions = (await listAuditEntries(id)).map(({ action, person_id }) => `${action} ${person_id}`)
      const demotedAt = actions.indexOf(`member-role-changed ${ben.id}`)
      const addedAt = actions.indexOf(`member-added ${cleo.id}`)
      expect(demotedAt).toBeGreaterThan(0)
      expect(addedAt >= 0).toBe(added.status === 200)
    }
  })
})
