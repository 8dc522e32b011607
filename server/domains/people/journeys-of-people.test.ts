import { describe, expect, it } from 'vitest'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { type DomainPerson, people } from '#contract/domains/people.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { beforeNextBatch } from '#tests/before-next-batch.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('journeys of domain people, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])

  async function createJourney(actor: Actor, title: string): Promise<string> {
    const { id } = await createTestKeeper(actor)
    return (await actor.call(journeys.create, { params: { id }, body: { title } })).data.id
  }
  const share = async (id: string, journeyId: string, owner: Actor, roles: readonly MemberRole[] = memberRoles) => {
    const body = { roles: [...roles] }
    expect((await owner.call(sharingInDomains.shareJourney, { params: { id, journeyId }, body })).status).toBe(200)
  }
  /** Shares the journey's keeper with its journeys. */
  async function shareKeeper(id: string, journeyId: string, owner: Actor) {
    const { keeper_id: keeperId } = await app.services.db
      .selectFrom('journeys')
      .select('keeper_id')
      .where('id', '=', journeyId)
      .executeTakeFirstOrThrow()
    const body = { parts: ['journeys' as const], roles: [...memberRoles] }
    expect((await owner.call(sharingInDomains.shareKeeper, { params: { id, keeperId }, body })).status).toBe(200)
  }
  const listPeople = async (actor: Actor, query: Record<string, string> = {}) =>
    (await actor.call(people.list, { query })).data
  const listTitles = async (actor: Actor, domainId: string) =>
    (await listPeople(actor, { domainId })).journeys.map(({ title }) => title)
  const findPerson = (domainPeople: DomainPerson[], actor: Actor) =>
    domainPeople.find(({ userId }) => userId === actor.id)
  const changePerson = (actor: Actor, domainId: string, target: Actor, body: object) =>
    actor.call(people.update, { params: { id: `${domainId}.${target.id}` }, body })

  it("lists journeys readable by role, one's own, and assigned ones", async () => {
    const domainId = await insertDomain(app, ada, [
      [ben, 'friend'],
      [dot, 'user'],
    ])
    const openId = await createJourney(dot, 'To the lighthouse')
    const closedId = await createJourney(dot, 'Not for friends')
    const ownJourney = await createJourney(ada, 'Saved at home')
    await share(domainId, openId, dot)
    await share(
      domainId,
      closedId,
      dot,
      memberRoles.filter((role) => role !== 'friend'),
    )
    expect((await changePerson(ada, domainId, ben, { journeyIds: [openId, closedId] })).status).toBe(200)

    const forAda = await listPeople(ada, { domainId })
    expect(forAda.journeys.map(({ title }) => title)).toEqual(['Not for friends', 'To the lighthouse'])
    expect(forAda.summary.journeys).toBe(2)
    expect(findPerson(forAda.people, dot)?.journeyIds.toSorted()).toEqual([openId, closedId].toSorted())
    expect(findPerson(forAda.people, ben)?.journeyIds.toSorted()).toEqual([openId, closedId].toSorted())

    const forBen = await ben.call(people.list, { query: { domainId } })
    expect(forBen.data.journeys).toEqual([{ id: openId, domainId, title: 'To the lighthouse', ownerId: dot.id }])
    expect(findPerson(forBen.data.people, dot)?.journeyIds).toEqual([openId])
    expect(forBen.text).not.toContain(closedId)
    expect(forBen.text).not.toContain(ownJourney)

    const refused = await changePerson(ada, domainId, ben, { journeyIds: [ownJourney] })
    expect({ status: refused.status, fields: refused.body.fields }).toEqual({
      status: 400,
      fields: { journeyIds: 'Choose journeys that are shared in this domain.' },
    })
  })

  it('an update changes only what its author saw', async () => {
    const domainId = await insertDomain(app, ada, [
      [ben, 'user'],
      [cleo, 'admin'],
      [dot, 'user'],
    ])
    const [first, second, third] = [
      await createJourney(dot, 'First'),
      await createJourney(dot, 'Second'),
      await createJourney(ada, 'Third'),
    ]
    for (const id of [first, second]) await share(domainId, id, dot)
    await share(domainId, third, ada, ['user'])
    const visibleIds = [first]
    await changePerson(ada, domainId, ben, { journeyIds: [first, third] })
    expect(
      (await changePerson(cleo, domainId, ben, { journeyIds: [first, second], journeyIdsBefore: visibleIds })).status,
    ).toBe(200)
    await changePerson(ada, domainId, ben, { journeyIds: [third], journeyIdsBefore: [first, third] })
    const listAssigned = async () =>
      findPerson((await listPeople(ada, { domainId })).people, ben)?.journeyIds.toSorted()
    expect(await listAssigned()).toEqual([second, third].toSorted())

    await changePerson(cleo, domainId, ben, { journeyIds: [], journeyIdsBefore: [third] })
    expect(await listAssigned(), 'Cleo does not see it').toEqual([second, third].toSorted())
    await ada.call(sharingInDomains.unshareJourney, { params: { id: domainId, journeyId: second } })
    const removed = await changePerson(ada, domainId, ben, { journeyIds: [second], journeyIdsBefore: [second, third] })
    expect({ status: removed.status, journeyIds: await listAssigned() }).toEqual({ status: 200, journeyIds: [] })
    const refused = await changePerson(ada, domainId, ben, { journeyIds: [second, third], journeyIdsBefore: [third] })
    expect(refused.status).toBe(400)
  })

  it('assigning and removing journeys is audited once, for managers', async () => {
    const domainId = await insertDomain(app, ada, [
      [ben, 'user'],
      [dot, 'user'],
    ])
    const [first, second] = [await createJourney(dot, 'First'), await createJourney(dot, 'Second')]
    await share(domainId, first, dot)
    await share(domainId, second, dot)
    for (const journeyIds of [[first], [first], [second]]) await changePerson(ada, domainId, ben, { journeyIds })
    const rows = await app.services.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'person_id', 'details'])
      .where('domain_id', '=', domainId)
      .where('action', 'in', ['person-put-on-journey', 'person-taken-off-journey'])
      .execute()
    const toEntry = (action: string, journeyId: string) => ({
      action,
      actor_id: ada.id,
      person_id: ben.id,
      details: { journeyId },
    })
    const toSortKey = (entry: { action: string; details: object }) => `${entry.action} ${JSON.stringify(entry.details)}`
    expect(rows.toSorted((a, b) => toSortKey(a).localeCompare(toSortKey(b)))).toEqual(
      [
        toEntry('person-put-on-journey', first),
        toEntry('person-put-on-journey', second),
        toEntry('person-taken-off-journey', first),
      ].toSorted((a, b) => toSortKey(a).localeCompare(toSortKey(b))),
    )
    const readActivity = async (actor: Actor) => (await actor.call(people.activity, { params: { id: domainId } })).text
    expect(await readActivity(ada)).toContain('person-put-on-journey')
    expect(await readActivity(dot)).not.toMatch(/person-(put|taken)/)
  })

  it('a concurrent assignment invisible to the other editor survives', async () => {
    const domainId = await insertDomain(app, ada, [
      [ben, 'admin'],
      [cleo, 'user'],
      [dot, 'user'],
    ])
    const [openId, closedId] = [await createJourney(dot, 'Open'), await createJourney(dot, 'Not for admins')]
    await share(domainId, openId, dot)
    await share(domainId, closedId, dot, ['user'])
    beforeNextBatch(app, async () =>
      expect((await changePerson(ada, domainId, cleo, { journeyIds: [closedId] })).status).toBe(200),
    )
    expect((await changePerson(ben, domainId, cleo, { journeyIds: [openId] })).status).toBe(200)
    const assigned = findPerson((await listPeople(ada, { domainId })).people, cleo)?.journeyIds
    expect(assigned?.toSorted()).toEqual([openId, closedId].toSorted())
  })

  it('a keeper shared with journeys includes them, without deleted ones', async () => {
    const domainId = await insertDomain(app, ada, [
      [ben, 'user'],
      [dot, 'user'],
    ])
    const savedJourney = await createJourney(dot, 'Saved')
    const trashedJourney = await createJourney(dot, 'Trashed')
    const { db } = app.services
    for (const id of [savedJourney, trashedJourney]) await shareKeeper(domainId, id, dot)
    await share(domainId, savedJourney, dot)
    await db.updateTable('journeys').set({ deleted_at: 5 }).where('id', '=', trashedJourney).execute()
    expect(await listTitles(ben, domainId)).toEqual(['Saved'])
    await db.deleteFrom('domain_members').where('domain_id', '=', domainId).where('person_id', '=', dot.id).execute()
    expect(await listTitles(ben, domainId)).toEqual([])
  })

  it('journeys of a deactivated account are hidden until reactivation', async () => {
    const domainId = await insertDomain(app, ada, [
      [ben, 'user'],
      [dot, 'user'],
    ])
    const [sharedId, keeperJourneyId] = [await createJourney(dot, 'Alone'), await createJourney(dot, 'Within')]
    await share(domainId, sharedId, dot)
    await shareKeeper(domainId, keeperJourneyId, dot)
    const { db } = app.services
    expect(await listTitles(ben, domainId)).toEqual(['Alone', 'Within'])

    await db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', dot.id).execute()
    for (const reader of [ada, ben])
      expect(await listPeople(reader, { domainId })).toMatchObject({ journeys: [], summary: { journeys: 0 } })
    expect((await changePerson(ada, domainId, ben, { journeyIds: [sharedId] })).status).toBe(400)

    await db.updateTable('people').set({ deactivated_at: null }).where('id', '=', dot.id).execute()
    expect(await listTitles(ada, domainId)).toEqual(['Alone', 'Within'])
  })
})
