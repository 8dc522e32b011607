import { beforeEach, describe, expect, it } from 'vitest'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { type SharedPart, sharedParts, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { sole } from '#contract/keepers/sole.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { uploadMedia } from '#tests/upload-media.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const call = sharingInDomains

describe.each(engines)('content shared with a domain, on %s', (engine) => {
  const { app, ada, ben, cleo, dot } = useTestApp(engine, ['ada', 'ben', 'cleo', 'dot'])
  let id: string
  let keeper: Keeper
  beforeEach(async () => {
    await app.services.db.updateTable('people').set({ deactivated_at: null }).execute()
    // Cleo owns the domain, Ada shares, and Ben reads.
    id = await insertDomain(app, cleo, [
      [ada, 'user'],
      [ben, 'friend'],
    ])
    keeper = await createTestKeeper(ada)
  })

  const shareParts = (parts: SharedPart[], roles: MemberRole[] = ['friend'], actor = ada) =>
    actor.call(call.shareKeeper, { params: { id, keeperId: keeper.id }, body: { parts, roles } })
  const shareJourney = (journeyId: string, roles: MemberRole[] = ['friend']) =>
    ada.call(call.shareJourney, { params: { id, journeyId }, body: { roles } })
  const createMoment = async (body: string, fields: object = {}) =>
    (await ada.call(moments.create, { params: { id: keeper.id }, body: { body, ...fields } })).data
  const startJourney = async (title = 'Crossing') =>
    (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title } })).data
  const createLogbookEntry = (entry: string) =>
    ada.call(logbook.create, { params: { id: keeper.id }, body: { entry, label: 'Me', category: 'Now' } })
  const setRole = (role: MemberRole) =>
    app.services.db.updateTable('domain_members').set({ role }).where('person_id', '=', ben.id).execute()

  const fetchMoments = (actor: Actor) => actor.call(call.moments, { params: { id, keeperId: keeper.id } })
  const fetchBodies = async (actor: Actor) => (await fetchMoments(actor)).data.items.map(({ body }) => body)
  const fetchStatus = async (actor: Actor) =>
    (await actor.call(call.keeper, { params: { id, keeperId: keeper.id } })).status

  it('shows a member exactly the shared parts', async () => {
    await createMoment('The fog lifted.')
    await createLogbookEntry('I keep a lamp.')
    await startJourney()
    await ada.call(sole.submitDraft, {
      params: { id: keeper.id },
      body: { statements: [{ text: 'The harbour is home.' }] },
    })
    await ada.call(sole.approve, { params: { id: keeper.id }, body: { version: 1 } })
    await ada.call(sole.submitDraft, { params: { id: keeper.id }, body: { statements: [{ text: 'Only a draft.' }] } })
    const params = { id, keeperId: keeper.id }
    for (let mask = 1; mask < 2 ** sharedParts.length; mask++) {
      const parts = sharedParts.filter((_, index) => mask & (2 ** index))
      await shareParts(parts)
      const view = (await ben.call(call.keeper, { params })).data
      expect(view.parts).toEqual(parts)
      const has = (part: SharedPart) => parts.includes(part)
      expect(view.counts).toEqual({
        moments: has('moments') ? 1 : null,
        journeys: has('journeys') ? 1 : null,
        logbook: has('logbook') ? 1 : null,
      })
      expect(view.journeysOfIt.map(({ title }) => title)).toEqual(has('journeys') ? ['Crossing'] : [])
      const statements = [{ id: expect.any(String), text: 'The harbour is home.' }]
      expect(view.sole).toEqual(has('sole') ? statements : null)
      expect((await ben.call(call.moments, { params })).status).toBe(has('moments') ? 200 : 404)
      expect((await ben.call(call.logbook, { params })).status).toBe(has('logbook') ? 200 : 404)
    }
  })

  it('is visible to the chosen roles, the domain owner and its sharer', async () => {
    await createMoment('The fog lifted.')
    for (const sharedRole of memberRoles) {
      await shareParts(['moments'], [sharedRole])
      for (const role of memberRoles) {
        await setRole(role)
        expect(await fetchStatus(ben), `${sharedRole} → ${role}`).toBe(role === sharedRole ? 200 : 404)
        const list = (await ben.call(call.list, { params: { id } })).data
        expect(list.keepers.map((sharedKeeper) => sharedKeeper.id)).toEqual(role === sharedRole ? [keeper.id] : [])
      }
      expect(await fetchBodies(cleo)).toEqual(['The fog lifted.'])
      expect(await fetchBodies(ada)).toEqual(['The fog lifted.'])
      expect(await fetchStatus(dot)).toBe(404)
    }
  })

  it('is hidden from platform admins, with an explanation if they know the domain', async () => {
    await shareParts([...sharedParts])
    const platformAdmin = await app.as('dot', ['super-admin'])
    expect((await platformAdmin.call(call.list, { params: { id } })).status).toBe(403)
    expect(await fetchStatus(platformAdmin)).toBe(404)
    await app.services.db.deleteFrom('role_grants').execute()
    app.services.sessions.evictPerson(platformAdmin.id)
  })

  it.each([
    ['the reader has another role', () => setRole('user')],
    ['the reader was removed', () => removeMember(ben).execute()],
    ['the sharer left', () => removeMember(ada).execute()],
    ['it was revoked', () => ada.call(call.unshareKeeper, { params: { id, keeperId: keeper.id } })],
    ['the domain owner revoked it', () => cleo.call(call.unshareKeeper, { params: { id, keeperId: keeper.id } })],
    ['the keeper is in the trash', () => ada.call(keepers.remove, { params: { id: keeper.id } })],
    ['the sharer is deactivated', () => deactivate(ada)],
    ['the domain was deleted', () => app.services.db.deleteFrom('domains').where('id', '=', id).execute()],
  ])('is no longer visible on the next request when %s', async (_, change) => {
    const { id: journeyId } = await startJourney()
    const mediaId = await uploadMedia(ada, keeper.id, 'image/png')
    await createMoment('The fog lifted.', { journeyId, mediaIds: [mediaId] })
    await shareParts([...sharedParts])
    const fetchAll = () =>
      Promise.all([
        fetchStatus(ben),
        fetchMoments(ben).then(({ status }) => status),
        ben.call(call.logbook, { params: { id, keeperId: keeper.id } }).then(({ status }) => status),
        ben.call(call.journey, { params: { id, journeyId } }).then(({ status }) => status),
        fetchBytes(ben, mediaId).then(({ status }) => status),
      ])
    expect(await fetchAll()).toEqual([200, 200, 200, 200, 200])
    await change()
    expect(await fetchAll()).toEqual([404, 404, 404, 404, 404])
    app.services.sessions.evictPerson(ada.id)
  })

  const removeMember = (actor: Actor) =>
    app.services.db.deleteFrom('domain_members').where('domain_id', '=', id).where('person_id', '=', actor.id)
  const deactivate = (actor: Actor) =>
    app.services.db
      .updateTable('people')
      .set({ deactivated_at: app.services.now().getTime() })
      .where('id', '=', actor.id)
      .execute()
  const fetchBytes = (actor: Actor, mediaId: string, headers = {}) =>
    actor.fetch(`/api/domains/${id}/shared/media/${mediaId}`, { headers })

  it.each<[string, (journeyId: string) => Promise<unknown>]>([
    ['it is in the trash', (journeyId) => ada.call(journeys.remove, { params: { id: journeyId } })],
    ['its keeper is in the trash', () => ada.call(keepers.remove, { params: { id: keeper.id } })],
    [
      'the request names another domain',
      async () => {
        id = await insertDomain(
          app,
          cleo,
          [
            [ada, 'user'],
            [ben, 'friend'],
          ],
          'Quayside',
        )
      },
    ],
  ])('hides a journey shared by itself when %s', async (_, change) => {
    const { id: journeyId } = await startJourney()
    const mediaId = await uploadMedia(ada, keeper.id, 'image/png')
    await createMoment('The fog lifted.', { journeyId, mediaIds: [mediaId] })
    await shareJourney(journeyId)
    const fetchAll = async () => [
      (await ben.call(call.journey, { params: { id, journeyId } })).status,
      (await fetchBytes(ben, mediaId)).status,
      (await ben.call(call.list, { params: { id } })).data.journeys.length,
    ]
    expect(await fetchAll()).toEqual([200, 200, 1])
    await change(journeyId)
    expect(await fetchAll()).toEqual([404, 404, 0])
  })

  it('stays hidden when the share row names another person’s content', async () => {
    const { id: journeyId } = await startJourney()
    await createMoment('The fog lifted.', { journeyId })
    await shareParts([...sharedParts])
    await shareJourney(journeyId)
    const fetchJourney = (actor: Actor) => actor.call(call.journey, { params: { id, journeyId } })
    expect(await fetchStatus(ben)).toBe(200)
    expect((await fetchJourney(ben)).status).toBe(200)
    for (const table of ['domain_keepers', 'domain_journeys'] as const)
      await app.services.db.updateTable(table).set({ owner_id: ben.id }).where('domain_id', '=', id).execute()
    for (const actor of [ben, cleo]) {
      expect(await fetchStatus(actor)).toBe(404)
      expect((await fetchJourney(actor)).status).toBe(404)
    }
    expect((await ben.call(call.list, { params: { id } })).data).toEqual({ keepers: [], journeys: [] })
    const { data: shares } = await ada.call(call.sharesOfKeeper, { params: { id: keeper.id } })
    expect(JSON.stringify(shares), 'the keeper is not one that Ada shared').not.toContain(id)
  })

  it('answers like missing content when it is not visible', async () => {
    await shareParts(['moments'], ['admin'])
    const { text } = await ben.call(call.keeper, { params: { id, keeperId: keeper.id } })
    const nowhere = await ben.call(call.keeper, { params: { id, keeperId: 'f'.repeat(32) } })
    expect(withoutRequest(text)).toBe(withoutRequest(nowhere.text))
    const outsider = await dot.call(call.keeper, { params: { id, keeperId: keeper.id } })
    const noDomain = await dot.call(call.keeper, { params: { id: 'f'.repeat(32), keeperId: keeper.id } })
    expect(withoutRequest(outsider.text)).toBe(withoutRequest(noDomain.text))
  })

  it('includes moments without private fields', async () => {
    await shareParts(['moments', 'logbook'])
    await createLogbookEntry('I keep a lamp.')
    const mediaId = await uploadMedia(ada, keeper.id, 'image/png')
    const { id: journeyId } = await startJourney()
    await createMoment('The fog lifted.', {
      place: { name: 'The quay', lat: 59.9, lng: 10.7 },
      topics: ['Father'],
      mediaIds: [mediaId],
      journeyId,
      promptId: 'first-light',
      pinned: true,
      aiVisible: false,
    })
    const [moment] = (await fetchMoments(ben)).data.items
    expect(Object.keys(moment ?? {}).sort()).toEqual(
      [
        'body',
        'id',
        'localDate',
        'media',
        'mood',
        'occurredAt',
        'place',
        'timezone',
        'title',
        'topics',
        'weather',
      ].sort(),
    )
    expect(moment).toMatchObject({ place: { name: 'The quay' }, topics: [{ name: 'Father' }] })
    expect(moment?.media.map((file) => Object.keys(file).sort())).toEqual([
      ['alt', 'bytes', 'durationMs', 'height', 'id', 'kind', 'mime', 'name', 'width'],
    ])
    const [entry] = (await ben.call(call.logbook, { params: { id, keeperId: keeper.id } })).data
    expect(Object.keys(entry ?? {}).sort()).toEqual(
      ['category', 'entry', 'id', 'label', 'occurredOn', 'pinned', 'tags'].sort(),
    )
  })

  it('lists undeleted moments once, newest first, in pages', async () => {
    for (let day = 1; day <= 7; day++) await createMoment(`Day ${day}`, { localDate: `2026-03-0${day}` })
    const deletedMoment = await createMoment('Deleted', { localDate: '2026-03-09' })
    await ada.call(moments.remove, { params: { id: deletedMoment.id } })
    await shareParts(['moments'])
    const bodies: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: Record<string, string> = { limit: '3', ...(cursor && { cursor }) }
      const { data } = await ben.call(call.moments, { params: { id, keeperId: keeper.id }, query })
      bodies.push(...data.items.map(({ body }) => body))
      cursor = data.next_cursor
    }
    expect(bodies).toEqual([7, 6, 5, 4, 3, 2, 1].map((day) => `Day ${day}`))
    const wrong = await ben.call(call.moments, { params: { id, keeperId: keeper.id }, query: { cursor: 'x' } })
    expect(wrong.status).toBe(400)
  })

  it('shows only its own moments with a journey shared by itself', async () => {
    const journey = await startJourney()
    const onIt = await createMoment('On it', { journeyId: journey.id })
    const linked = await createMoment('Linked to it')
    const other = await createMoment('Elsewhere')
    const { paths } = (await ada.call(journeys.show, { params: { id: journey.id } })).data
    await ada.call(journeys.updatePath, {
      params: { id: paths[0]?.id ?? '' },
      body: { waypoints: [{ title: 'Cape', momentIds: [linked.id] }] },
    })
    const otherPicture = await uploadMedia(ada, keeper.id, 'image/png')
    await createMoment('With a picture', { mediaIds: [otherPicture] })
    await shareJourney(journey.id)
    const { data, text } = await ben.call(call.journey, { params: { id, journeyId: journey.id } })
    expect(data.keeperId).toBeNull()
    expect(data.moments.map(({ body }) => body).sort()).toEqual(['Linked to it', 'On it'])
    expect(data.beads.map((timelineItem) => timelineItem.id).sort()).toEqual([onIt.id, linked.id].sort())
    expect(data.paths[0]?.waypoints[0]).toMatchObject({ title: 'Cape', momentIds: [linked.id] })
    expect(text).not.toContain(keeper.id)
    expect(text).not.toContain(other.id)
    expect(await fetchStatus(ben)).toBe(404)
    expect((await fetchMoments(ben)).status).toBe(404)
    expect((await fetchBytes(ben, otherPicture)).status).toBe(404)
    expect((await ben.call(call.list, { params: { id } })).data).toMatchObject({
      keepers: [],
      journeys: [{ id: journey.id, keeperId: null, owner: { id: ada.id } }],
    })
  })

  it('shows moments with a keeper’s journey only when they are shared', async () => {
    const journey = await startJourney()
    const onIt = await createMoment('On it', { journeyId: journey.id })
    const { paths } = (await ada.call(journeys.show, { params: { id: journey.id } })).data
    await ada.call(journeys.updatePath, {
      params: { id: paths[0]?.id ?? '' },
      body: { waypoints: [{ title: 'Cape', momentIds: [onIt.id] }] },
    })
    await shareParts(['journeys'])
    const without = await ben.call(call.journey, { params: { id, journeyId: journey.id } })
    expect(without.data).toMatchObject({ keeperId: keeper.id, beads: [], moments: [] })
    expect(without.data.paths[0]?.waypoints[0]?.momentIds).toEqual([])
    expect(without.text).not.toContain(onIt.id)
    await shareParts(['journeys', 'moments'])
    const sharedJourney = (await ben.call(call.journey, { params: { id, journeyId: journey.id } })).data
    expect(sharedJourney.beads).toHaveLength(1)
    expect(sharedJourney.moments).toHaveLength(1)
    await ada.call(journeys.remove, { params: { id: journey.id } })
    expect((await ben.call(call.journey, { params: { id, journeyId: journey.id } })).status).toBe(404)
  })

  it('serves pictures, whole and in ranges, until the moment is deleted', async () => {
    const mediaId = await uploadMedia(ada, keeper.id, 'image/png')
    const unattachedId = await uploadMedia(ada, keeper.id, 'image/png')
    const moment = await createMoment('Seen', { mediaIds: [mediaId] })
    await shareParts(['moments'])
    const fullFile = await fetchBytes(ben, mediaId)
    expect(fullFile.status).toBe(200)
    expect(fullFile.headers.get('content-type')).toBe('image/png')
    const size = (await fullFile.arrayBuffer()).byteLength
    const part = await fetchBytes(ben, mediaId, { range: 'bytes=0-3' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toEqual(`bytes 0-3/${size}`)
    expect((await fetchBytes(ben, unattachedId)).status).toBe(404)
    await ada.call(moments.remove, { params: { id: moment.id } })
    expect((await fetchBytes(ben, mediaId)).status).toBe(404)
  })
})

/** A response body without the request id. */
const withoutRequest = (text: string) => text.replace(/"(requestId|request_id)":"[^"]*"/g, '')
