import { beforeEach, describe, expect, it } from 'vitest'
import { administration } from '#contract/administration/administration.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { people } from '#contract/domains/people.ts'
import { type SharedPart, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const call = sharingInDomains

describe.each(engines)('sharing with a domain and revoking, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])
  let id: string
  let keeper: Keeper
  beforeEach(async () => {
    // Cleo owns the domain, Ada shares, and Ben reads.
    id = await insertDomain(app, cleo, [
      [ada, 'user'],
      [ben, 'friend'],
    ])
    keeper = await createTestKeeper(ada)
  })

  const shareParts = (parts: SharedPart[], roles: MemberRole[] = ['friend'], actor = ada) =>
    actor.call(call.shareKeeper, { params: { id, keeperId: keeper.id }, body: { parts, roles } })

  /** Collects who is notified of domain changes from now on. */
  function listen(): () => string[] {
    const notified: string[] = []
    const stops = [ada, ben, cleo, dot].map(({ id: personId }) =>
      app.services.live.subscribe(personId, (event) => {
        if (event.type === 'domains-changed' && event.domainId === id) notified.push(personId)
      }),
    )
    return () => {
      for (const stop of stops) stop()
      return notified
    }
  }

  it('is audited once when repeated, and replaces a different share', async () => {
    const first = (await shareParts(['moments', 'sole'], ['friend', 'admin'])).data
    expect(first).toMatchObject({ parts: ['moments', 'sole'], roles: ['admin', 'friend'], readers: 2 })
    const hashBefore = await computeDatabaseHash(app.services.db, ['throttle_windows'])
    expect((await shareParts(['sole', 'moments'], ['admin', 'friend'])).data).toEqual(first)
    expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(hashBefore)
    const next = (await shareParts(['logbook'], ['connection'])).data
    expect(next).toMatchObject({ parts: ['logbook'], roles: ['connection'], readers: 1, sharedAt: first.sharedAt })
    const { keeper: shares } = (await ada.call(call.sharesOfKeeper, { params: { id: keeper.id } })).data
    expect(shares).toEqual([next])
    expect((await ben.call(call.sharesOfKeeper, { params: { id: keeper.id } })).status).toBe(404)
  })

  it('can be revoked by the giver and member managers only', async () => {
    const params = { id, keeperId: keeper.id }
    await shareParts(['moments'])
    expect((await ben.call(call.unshareKeeper, { params })).status).toBe(403)
    expect((await dot.call(call.unshareKeeper, { params })).status).toBe(404)
    const setRole = (role: MemberRole) =>
      app.services.db.updateTable('domain_members').set({ role }).where('person_id', '=', ben.id).execute()
    await setRole('user')
    expect((await ben.call(call.unshareKeeper, { params })).status).toBe(404)
    await setRole('admin')
    expect((await ben.call(call.unshareKeeper, { params })).status).toBe(200)
    expect((await ada.call(call.unshareKeeper, { params })).status).toBe(404)
    const startedJourney = await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })
    const ofJourney = { id, journeyId: startedJourney.data.id }
    expect((await ada.call(call.shareJourney, { params: ofJourney, body: { roles: ['friend'] } })).status).toBe(200)
    expect((await ada.call(call.unshareJourney, { params: ofJourney })).status).toBe(200)
  })

  it('is refused for connections and for other people’s content', async () => {
    await app.services.db
      .updateTable('domain_members')
      .set({ role: 'connection' })
      .where('person_id', '=', ada.id)
      .execute()
    expect((await shareParts(['moments'])).status).toBe(403)
    expect((await shareParts(['moments'], ['friend'], ben)).status).toBe(404)
    expect((await shareParts(['moments'], ['friend'], cleo)).status).toBe(404)
    expect((await shareParts(['moments'], ['friend'], dot)).status).toBe(404)
    for (const body of [
      { parts: [], roles: ['friend'] },
      { parts: ['moments'], roles: [] },
      { parts: ['reflections'], roles: ['friend'] },
      { parts: ['moments'], roles: ['owner'] },
    ])
      expect((await ada.call(call.shareKeeper, { params: { id, keeperId: keeper.id }, body })).status).toBe(400)
  })

  it('is audited without titles or names, and notifies the whole domain', async () => {
    const notified = listen()
    await shareParts(['moments'])
    await cleo.call(call.unshareKeeper, { params: { id, keeperId: keeper.id } })
    expect(notified().sort()).toEqual([ada.id, ada.id, ben.id, ben.id, cleo.id, cleo.id].sort())
    const events = await app.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('domain_id', '=', id)
      .orderBy('at')
      .orderBy('action')
      .execute()
    expect(
      events.map(({ action, actor_id, person_id, subject, details }) => ({
        action,
        actor_id,
        person_id,
        subject,
        details,
      })),
    ).toEqual([
      {
        action: 'keeper-shared',
        actor_id: ada.id,
        person_id: null,
        subject: null,
        details: { keeperId: keeper.id, parts: 'moments', roles: 'friend' },
      },
      {
        action: 'keeper-unshared',
        actor_id: cleo.id,
        person_id: ada.id,
        subject: null,
        details: { keeperId: keeper.id },
      },
    ])
  })

  it('appears in the activity of the giver and member managers only', async () => {
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })).data
    const board = (await ada.call(boards.create, { body: { name: 'Tides' } })).data
    await shareParts(['moments'], ['admin'])
    const ofJourney = { params: { id, journeyId: journey.id }, body: { roles: ['admin' as const] } }
    expect((await ada.call(call.shareJourney, ofJourney)).status).toBe(200)
    const rights = { admin: 'view', user: 'none', friend: 'none', connection: 'none' } as const
    const ofBoard = { params: { id: board.id, domainId: id }, body: { rights } }
    expect((await ada.call(boardSharing.share, ofBoard)).status).toBe(200)
    await ada.call(call.unshareKeeper, { params: { id, keeperId: keeper.id } })
    const secrets = [keeper.id, journey.id, board.id]
    const read = async (actor: Actor) => (await actor.call(people.activity, { params: { id } })).text
    const [forAda, forCleo, forBen] = [await read(ada), await read(cleo), await read(ben)]
    for (const secret of secrets) expect([forAda, forCleo].filter((text) => text.includes(secret))).toHaveLength(2)
    expect(secrets.filter((secret) => forBen.includes(secret))).toEqual([])
    expect(forBen).not.toMatch(/(keeper|journey|board)-(un)?shared/)
  })

  it('notifies the readers of a keeper or journey of delete and restore', async () => {
    const all = [ada.id, ben.id, cleo.id]
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })).data
    const toOneself = listen()
    await ada.call(journeys.remove, { params: { id: journey.id } })
    await ada.call(entries.restore, { params: { entity: 'journey', id: journey.id } })
    expect(toOneself()).toEqual([])
    await ada.call(call.shareJourney, { params: { id, journeyId: journey.id }, body: { roles: ['friend'] } })
    for (const [entity, journeyParams] of [
      ['journey', journey.id],
      ['keeper', keeper.id],
    ] as const) {
      const getNotified = listen()
      const { remove } = entity === 'journey' ? journeys : keepers
      expect((await ada.call(remove, { params: { id: journeyParams } })).status).toBe(200)
      expect({ entity, notified: getNotified().sort() }).toEqual({ entity, notified: all.toSorted() })
      const back = listen()
      expect((await ada.call(entries.restore, { params: { entity, id: journeyParams } })).status).toBe(200)
      expect({ entity, back: back().sort() }).toEqual({ entity, back: all.toSorted() })
    }
    await shareParts(['moments'])
    const once = listen()
    await ada.call(keepers.remove, { params: { id: keeper.id } })
    expect(once().sort(), 'open in two ways to one domain').toEqual(all.toSorted())
  })

  it('notifies readers when the giver’s account is locked or unlocked', async () => {
    await shareParts(['moments'])
    const admin = await app.as('dot', ['super-admin'])
    for (const statusCall of [administration.deactivate, administration.reactivate]) {
      const notified = listen()
      expect((await admin.call(statusCall, { params: { id: ada.id } })).status).toBe(200)
      expect(notified().sort()).toEqual([ada.id, ben.id, cleo.id].sort())
    }
  })
})
