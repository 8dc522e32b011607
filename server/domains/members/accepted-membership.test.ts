import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { domains, type MemberRole } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { people } from '#contract/domains/people.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { sole } from '#contract/keepers/sole.ts'
import { authenticate } from '#server/accounts/authenticate.ts'
import { streamAccount } from '#server/accounts/own/archived-account.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { findReadableKeepers } from '#server/keepers/prompt/readable-keepers.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { createDatabaseAtVersion } from '#tests/released-databases.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

/** Entities one person created and can be found by. */
interface CreatedEntities {
  keeperId: string
  agentId: string
  type: string
  template: string
  pattern: string
  class: string
}

const nothing = {
  'email in members': false,
  'email of people': false,
  'last active': false,
  active: false,
  'email by search': false,
  'found by the start of the email': false,
  'email of agent users': false,
  'keeper types': false,
  templates: false,
  patterns: false,
  classes: false,
  'may review': false,
  'a board about them': false,
  'their keepers, where they run the agent': false,
}
const everything = Object.fromEntries(Object.keys(nothing).map((key) => [key, true]))

describe.each(engines)('a person added to a domain, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])
  let domainId: string
  let entitiesByActor: Map<Actor, CreatedEntities>
  const getName = (actor: Actor) =>
    ({ [ada.id]: 'Ada', [ben.id]: 'Ben', [cleo.id]: 'Cleo', [dot.id]: 'Dot' })[actor.id] ?? ''
  const getEmail = (actor: Actor) => `${getName(actor).toLowerCase()}@willowbrook.example`

  beforeAll(async () => {
    entitiesByActor = new Map()
    for (const actor of [ada, ben, cleo, dot]) entitiesByActor.set(actor, await createEntities(actor))
  })
  /** A domain of Ada's that Cleo joined on her own. */
  beforeEach(async () => {
    await app.services.db.deleteFrom('domain_members').execute()
    app.passTime(60_000)
    domainId = await insertDomain(app, ada, [[cleo, 'admin']])
  })

  async function createEntities(actor: Actor): Promise<CreatedEntities> {
    const fields = [{ key: 'tide', label: 'Tide', type: 'text' as const, required: false }]
    const agent = await actor.call(agents.create, {
      body: { name: 'Listener', purpose: 'Listens.', visibility: 'shared' },
    })
    const template = { kind: 'content-type' as const, label: 'Tides', fields }
    return {
      keeperId: (await createTestKeeper(actor)).id,
      agentId: agent.data.id,
      type: (await actor.call(keeperTypes.create, { body: { name: 'Walks' } })).data.id,
      template: (await actor.call(engagementTemplates.create, { body: template })).data.id,
      pattern: (await actor.call(memoryPatterns.create, { body: { name: `Tide table of ${getName(actor)}` } })).data.id,
      class: (await actor.call(agentClassCalls.create, { body: { name: 'Night clerk', base: 'Standard' } })).data.id,
    }
  }
  const getEntities = (actor: Actor) => entitiesByActor.get(actor) as CreatedEntities
  const addMember = (target: Actor, role: MemberRole = 'admin', { id = domainId, by = ada } = {}) =>
    by.call(domains.addMember, { params: { id }, body: { userId: target.id, role } })
  const acceptMembership = (actor: Actor, id = domainId) => actor.call(domains.agree, { params: { id } })
  const findMemberAs = async (actor: Actor, target: Actor, id = domainId) =>
    (await actor.call(domains.members, { params: { id } })).data.find(({ userId }) => userId === target.id)
  const hasAgreed = async (target: Actor, id = domainId) => (await findMemberAs(ada, target, id))?.agreed
  const listIds = (entities: readonly { id: string }[]) => entities.map(({ id }) => id)

  /** Visibility of one person's entities to another, by kind. */
  async function listVisible(actor: Actor, target: Actor): Promise<Record<string, boolean>> {
    const [ownEntities, foreignEntities] = [getEntities(actor), getEntities(target)]
    const member = await findMemberAs(actor, target)
    const listed = (await actor.call(people.list, { query: { domainId } })).data.people
    const person = listed.find(({ userId }) => userId === target.id)
    const search = async (query: string) =>
      (await actor.call(domains.searchPeople, { query: { query } })).data.find(({ id }) => id === target.id)
    const match = await search(getName(target))
    const grant = { agentId: ownEntities.agentId, personId: target.id }
    const granted = await actor.call(sharing.grant, { params: grant, body: { rights: ['run'] } })
    const grants = (await actor.call(sharing.list, { params: { agentId: ownEntities.agentId } })).data.grants
    // A grant establishes its own trust.
    await actor.call(sharing.revoke, { params: grant })
    const review = { params: { id: ownEntities.keeperId, personId: target.id } }
    const allowed = await actor.call(sole.allowReviewer, review)
    await actor.call(sole.withdrawReviewer, review)
    const { db } = app.services
    const agent = await db
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', ownEntities.agentId)
      .executeTakeFirstOrThrow()
    const readableKeepers = await findReadableKeepers(
      app.services,
      { person: target },
      { agent, callers: [] },
      { allIfUntyped: true },
    )
    expect(member?.email ?? getEmail(target)).toBe(getEmail(target))
    expect(granted.data?.person.email).toBe(grants.find(({ person: holder }) => holder.id === target.id)?.person.email)
    expect(match?.createdAt !== null, 'the join date is hidden with the email').toBe(match?.email !== null)
    return {
      'email in members': member?.email === getEmail(target),
      'email of people': person?.email === getEmail(target),
      'last active': person?.lastActiveAt !== null,
      active: person?.status === 'active',
      'email by search': match?.email === getEmail(target),
      'found by the start of the email': (await search(`${getEmail(target).slice(0, 9)}`)) !== undefined,
      'email of agent users': granted.data?.person.email === getEmail(target),
      'keeper types': listIds((await actor.call(keeperTypes.list)).data).includes(foreignEntities.type),
      templates: listIds((await actor.call(engagementTemplates.list)).data).includes(foreignEntities.template),
      patterns: listIds((await actor.call(memoryPatterns.list)).data).includes(foreignEntities.pattern),
      classes: listIds((await actor.call(agentClassCalls.list)).data).includes(foreignEntities.class),
      'may review': allowed.status === 200,
      'a board about them':
        (await actor.call(boards.ofEntity, { body: { entityType: 'people', entityId: target.id } })).status === 200,
      'their keepers, where they run the agent': readableKeepers.keepers.some(
        ({ id }) => id === foreignEntities.keeperId,
      ),
    }
  }

  it('shows only name and role until accepting, and sees what others share', async () => {
    const added = await addMember(ben)
    expect(added.status).toBe(200)
    expect(added.data).toEqual({
      userId: ben.id,
      name: 'Ben Haugen',
      email: null,
      role: 'admin',
      addedAt: expect.any(String),
      agreed: false,
      addedBy: { id: ada.id, name: 'Ada Lindqvist' },
    })
    expect((await ben.call(domains.mine)).data.find(({ id }) => id === domainId)).toMatchObject({ agreed: false })
    for (const actor of [ada, cleo]) {
      expect({ name: getName(actor), visible: await listVisible(actor, ben) }).toEqual({
        name: getName(actor),
        visible: nothing,
      })
      expect({ name: getName(actor), visible: await listVisible(ben, actor) }).toEqual({
        name: getName(actor),
        visible: everything,
      })
    }
    expect(await findMemberAs(ben, ben), 'people see their own entry').toMatchObject({
      email: getEmail(ben),
      agreed: false,
    })

    const { data, status } = await acceptMembership(ben)
    expect({ status, data }).toEqual({ status: 200, data: expect.objectContaining({ id: domainId, agreed: true }) })
    for (const actor of [ada, cleo]) {
      expect({ name: getName(actor), visible: await listVisible(actor, ben) }).toEqual({
        name: getName(actor),
        visible: everything,
      })
      expect({ name: getName(actor), visible: await listVisible(ben, actor) }).toEqual({
        name: getName(actor),
        visible: everything,
      })
    }
  })

  it("two added people don't learn of each other", async () => {
    await addMember(ben)
    await addMember(dot)
    expect(await listVisible(ben, dot)).toEqual(nothing)
    expect(await listVisible(dot, ben)).toEqual(nothing)
    await acceptMembership(dot)
    expect(await listVisible(ben, dot)).toEqual(everything)
    expect(await listVisible(dot, ben)).toEqual(nothing)
  })

  it('is neither notified of strangers nor remembered after leaving', async () => {
    await addMember(ben)
    await acceptMembership(ben)
    expect((await ben.call(domains.removeMember, { params: { id: domainId, userId: ben.id } })).status).toBe(200)
    await addMember(ben)
    expect(await listVisible(ada, ben)).toEqual(nothing)
    expect((await acceptMembership(dot)).status).toBe(404)
    expect((await acceptMembership(dot, app.services.newId())).status).toBe(404)
  })

  it('counts as pending once, however many domains', async () => {
    const other = await insertDomain(app, ada, [], 'Quay Choir')
    await addMember(ben)
    await addMember(ben, 'friend', { id: other })
    const fetchPeople = async (status?: string) =>
      (await ada.call(people.list, { query: status ? { status } : {} })).data
    const { summary } = await fetchPeople()
    expect(summary).toMatchObject({ total: 3, active: 2, pending: 1 })
    const rows = (await fetchPeople('pending')).people
    expect(
      rows.map(({ userId, email, invitationId, lastActiveAt }) => [userId, email, invitationId, lastActiveAt]),
    ).toEqual([
      [ben.id, null, null, null],
      [ben.id, null, null, null],
    ])
    expect((await fetchPeople('active')).people.map(({ userId }) => userId)).not.toContain(ben.id)
    await acceptMembership(ben)
    expect((await fetchPeople()).summary).toMatchObject({ total: 3, active: 3, pending: 0 })
  })

  it('accepting twice or concurrently is audited and published once', async () => {
    await addMember(ben, 'friend')
    const publish = vi.spyOn(app.services.live, 'publish')
    const answers = await Promise.all(Array.from({ length: 8 }, () => acceptMembership(ben)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await acceptMembership(ada)).status).toBe(200)
    const event = { type: 'domains-changed', domainId }
    for (const { id } of [ada, ben, cleo]) expect(publish.mock.calls).toContainEqual([id, event])
    publish.mockRestore()
    const auditEntries = await app.services.db
      .selectFrom('audit_events')
      .select(['actor_id', 'person_id', 'subject'])
      .where('domain_id', '=', domainId)
      .where('action', '=', 'member-agreed')
      .execute()
    expect(auditEntries).toEqual([{ actor_id: ben.id, person_id: ben.id, subject: 'friend' }])
  })

  it("can't be accepted by the owner or an admin", async () => {
    await addMember(ben, 'friend')
    await ada.call(domains.changeMember, { params: { id: domainId, userId: ben.id }, body: { role: 'user' } })
    await ada.call(people.update, { params: { id: `${domainId}.${ben.id}` }, body: { note: 'Tenor.' } })
    await acceptMembership(ada)
    await acceptMembership(cleo)
    const transfer = await ada.call(domains.transfer, { params: { id: domainId }, body: { userId: ben.id } })
    expect(transfer.status, 'its owner counts as having accepted').toBe(409)
    expect(transfer.body.error).toContain('hasn’t joined yet')
    const again = { emails: [getEmail(ben)], role: 'admin' as const }
    expect((await ada.call(invitations.create, { params: { id: domainId }, body: again })).status).toBe(400)
    expect(await hasAgreed(ben)).toBe(false)
    expect(await listVisible(ada, ben)).toEqual(nothing)
    await acceptMembership(ben)
    expect((await ada.call(domains.transfer, { params: { id: domainId }, body: { userId: ben.id } })).status).toBe(200)
    expect(await findMemberAs(ben, ada), 'the former owner stays as an accepted member').toMatchObject({ agreed: true })
  })

  it('accepts per domain, even with someone they share another one with', async () => {
    await addMember(ben)
    await acceptMembership(ben)
    const second = await insertDomain(app, ada, [[dot, 'friend']], 'Second')
    expect((await addMember(ben, 'friend', { id: second })).data.agreed).toBe(false)
    expect(await hasAgreed(ben, second)).toBe(false)
    expect(await findMemberAs(dot, ben, second)).toMatchObject({ agreed: false, email: null })
  })

  it('accepts by an invitation, even without a better role', async () => {
    const invite = async (role: MemberRole) => {
      const body = { emails: [getEmail(ben)], role }
      const { data } = await ada.call(invitations.create, { params: { id: domainId }, body })
      return new URL(data[0]?.link ?? '').searchParams.get('invitation') ?? ''
    }
    const accept = (token: string) => ben.call(invitations.accept, { body: { token } })
    expect((await accept(await invite('friend'))).status).toBe(200)
    expect(await hasAgreed(ben)).toBe(true)

    for (const [previousRole, invitedRole, finalRole] of [
      ['friend', 'admin', 'admin'],
      ['friend', 'connection', 'friend'],
    ] as const) {
      await app.services.db.deleteFrom('domain_members').where('person_id', '=', ben.id).execute()
      const token = await invite(invitedRole)
      const membership = {
        domain_id: domainId,
        person_id: ben.id,
        role: previousRole,
        added_at: 1,
        added_by: ada.id,
        agreed_at: null,
      }
      await app.services.db.insertInto('domain_members').values(membership).execute()
      expect((await accept(token)).status).toBe(200)
      expect(await findMemberAs(ada, ben)).toMatchObject({ role: finalRole, agreed: true })
    }
  })

  it('accepts by sharing something there, but not by a refused attempt', async () => {
    const { keeperId } = getEntities(ben)
    const journey = await ben.call(journeys.create, { params: { id: keeperId }, body: { title: 'North' } })
    const board = await ben.call(boards.create, { body: { name: 'Quay' } })
    const rights = { admin: 'view', user: 'none', friend: 'none', connection: 'none' } as const
    const shareAttempts = [
      () =>
        ben.call(sharingInDomains.shareKeeper, {
          params: { id: domainId, keeperId },
          body: { parts: ['moments'], roles: ['admin'] },
        }),
      () =>
        ben.call(sharingInDomains.shareJourney, {
          params: { id: domainId, journeyId: journey.data.id },
          body: { roles: ['admin'] },
        }),
      () => ben.call(boardSharing.share, { params: { id: board.data.id, domainId }, body: { rights } }),
    ]
    for (const share of shareAttempts) {
      await app.services.db.deleteFrom('domain_members').where('person_id', '=', ben.id).execute()
      await addMember(ben, 'connection')
      expect((await share()).status, 'the connection role grants nothing').toBe(403)
      expect(await hasAgreed(ben)).toBe(false)
      await app.services.db
        .updateTable('domain_members')
        .set({ role: 'friend' })
        .where('person_id', '=', ben.id)
        .execute()
      expect((await share()).status).toBe(200)
      expect(await hasAgreed(ben)).toBe(true)
    }
  })

  it("doesn't affect others' changes to what was never shared with them", async () => {
    await addMember(ben)
    const pattern = await ben.call(memoryPatterns.create, { body: { name: 'Moon table' } })
    const keeper = await createTestKeeper(ada, { memoryPattern: 'Moon table' })
    const agentClass = await ben.call(agentClassCalls.create, { body: { name: 'Day clerk', base: 'Standard' } })
    const body = { name: 'Clerk', purpose: 'p', config: { class_slug: agentClass.data.slug } }
    await ada.call(agents.create, { body })
    const change = { params: { id: pattern.data.id }, body: { name: 'Star table' } }
    expect((await ben.call(memoryPatterns.update, change)).status).toBe(200)
    expect((await ada.call(keepers.show, { params: { id: keeper.id } })).data.memoryPattern).toBe('Moon table')
    await ada.call(keepers.update, { params: { id: keeper.id }, body: { memoryPattern: pattern.data.slug } })
    expect((await ben.call(memoryPatterns.remove, { params: { id: pattern.data.id } })).status).toBe(200)
    expect((await ben.call(agentClassCalls.remove, { params: { id: agentClass.data.id } })).status).toBe(200)

    // Conversely, Ben uses what Ada shares, and she can't withdraw it.
    const adasPattern = await ada.call(memoryPatterns.create, { body: { name: 'Sun table' } })
    const bensKeeper = await createTestKeeper(ben, { memoryPattern: 'Sun table' })
    await ada.call(memoryPatterns.update, { params: { id: adasPattern.data.id }, body: { name: 'Noon table' } })
    expect((await ben.call(keepers.show, { params: { id: bensKeeper.id } })).data.memoryPattern).toBe(
      adasPattern.data.slug,
    )
    expect((await ada.call(memoryPatterns.remove, { params: { id: adasPattern.data.id } })).status).toBe(409)
  })

  it("reviews nothing as an admin of a domain they haven't accepted", async () => {
    await addMember(ben)
    await insertDomain(app, ada, [[ben, 'friend']], 'Where Ben is a friend')
    const review = { params: { id: getEntities(ada).keeperId, personId: ben.id } }
    expect((await ada.call(sole.allowReviewer, review)).status).toBe(422)
    await acceptMembership(ben)
    expect((await ada.call(sole.allowReviewer, review)).status).toBe(200)
  })

  it('earlier members count as accepted after the migration', async () => {
    const migrationIndex = migrations.findIndex(({ name }) => name === '0016-members-agree')
    const oldDatabase = await createDatabaseAtVersion(engine, migrationIndex)
    const { dataDir } = oldDatabase
    await migrate(oldDatabase.db, migrations, { dataDir, now: () => new Date(), backup: false })
    const rows = await oldDatabase.db.selectFrom('domain_members').select(['added_at', 'agreed_at']).execute()
    await oldDatabase.close()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ added_at, agreed_at }) => added_at !== agreed_at)).toEqual([])
  })

  it("sees in their account's download whether and when they accepted", async () => {
    const listMemberships = async () => {
      const person = await authenticate(app.services, ben.token ?? '')
      if (!person) throw new Error('Ben is not signed in')
      let text = ''
      for await (const part of streamAccount(app.services, person)) text += part
      return JSON.parse(text).memberships
    }
    await addMember(ben, 'friend')
    expect(await listMemberships()).toEqual([
      { id: domainId, name: 'Willowbrook', role: 'friend', addedAt: expect.any(String), agreedAt: null },
    ])
    await acceptMembership(ben)
    expect(await listMemberships()).toMatchObject([{ agreedAt: expect.stringMatching(/^\d{4}-.*Z$/) }])
  })

  it('immediately gets what the domain shares with their role', async () => {
    const { keeperId } = getEntities(ada)
    const params = { id: domainId, keeperId }
    await ada.call(sharingInDomains.shareKeeper, { params, body: { parts: ['moments'], roles: ['friend'] } })
    expect((await ben.call(sharingInDomains.keeper, { params })).status).toBe(404)
    await addMember(ben, 'friend')
    expect((await ben.call(sharingInDomains.keeper, { params })).status).toBe(200)
  })
})
